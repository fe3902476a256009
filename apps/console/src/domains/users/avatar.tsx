import { useQuery } from '@tanstack/react-query'
import { users } from '@gantry/contract/users/users'
import { call } from '../../api/call.ts'
import { dataUrl } from '../../api/transfer.ts'
import styles from './users.module.css'

interface AvatarProps {
  user: {
    id: number
    userName: string
    nickname: string
    /** The picture's version; empty: there is none. */
    avatar: string
  }
  /** The side length in pixels. */
  size?: number
}

function usePicture(id: number, version: string): string | undefined {
  const { data } = useQuery({
    queryKey: ['avatar', id, version],
    enabled: version !== '',
    // the picture of a version never changes
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) =>
      dataUrl((await call(users.avatar, { params: { id }, query: { v: version } }, signal)) as Blob),
  })
  return version === '' ? undefined : data
}

/** A user's picture, or the first letter of the name. Decorative, because the name stands beside it. */
export function Avatar({ user, size = 24 }: AvatarProps) {
  const picture = usePicture(user.id, user.avatar)
  if (picture !== undefined) return <img className={styles.avatar} src={picture} width={size} height={size} alt="" />
  const name = user.nickname || user.userName
  return (
    <svg className={styles.avatar} width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <circle cx="12" cy="12" r="12" />
      <text x="12" y="12" dy="0.36em" textAnchor="middle">
        {[...name][0]?.toUpperCase()}
      </text>
    </svg>
  )
}

/** A user in a list: picture, name, and the user name if it differs. */
export const Person = ({ user, size = 28 }: AvatarProps) => (
  <span className={styles.person}>
    <Avatar user={user} size={size} />
    <span>
      {user.nickname || user.userName}
      {user.nickname !== '' && user.nickname !== user.userName && <small>{user.userName}</small>}
    </span>
  </span>
)
