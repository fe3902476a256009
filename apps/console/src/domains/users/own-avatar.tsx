import { users } from '@gantry/contract/users/users'
import { useRead } from '../../api/hooks.ts'
import { useUser } from '../../api/session.ts'
import { Avatar } from './avatar.tsx'

/** The picture of the signed-in user. */
export function OwnAvatar({ size }: { size: number }) {
  const { id, userName, nickname } = useUser()
  const avatar = useRead(users.get, { params: { id } }, { staleMs: 300_000 }).data?.avatar ?? ''
  return <Avatar user={{ id, userName, nickname, avatar }} size={size} />
}
