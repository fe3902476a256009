import { users, type User } from '@gantry/contract/users/users'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { FileInput } from '../../ui/form/file-drop.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Avatar } from './avatar.tsx'
import styles from './users.module.css'

const maxBytes = users.setAvatar.upload ?? 0
const types = ['image/jpeg', 'image/png']

/** The user's own picture, and the actions to change it. */
export function AvatarControl({ user }: { user: User }) {
  const set = useWrite(users.setAvatar, { done: 'save-success' })
  const remove = useWrite(users.removeAvatar, { done: 'save-success' })
  const params = { id: user.id }
  const choose = (file: File) => {
    if (!types.includes(file.type)) toast.error(t('users-ui-avatar-type'))
    else if (file.size > maxBytes) toast.error(t('users-ui-avatar-size'))
    else set.mutate({ named: user.userName, params, file })
  }
  return (
    <div className={styles.avatarControl}>
      <Avatar user={user} size={72} />
      <div>
        <div className="g-row">
          <label className={set.isPending ? `${styles.choose} ${styles.busy}` : styles.choose}>
            <FileInput accept={types.join(',')} disabled={set.isPending} onFile={choose} />
            <Icon name="image" /> {t(user.avatar === '' ? 'users-ui-avatar-set' : 'users-ui-avatar-change')}
          </label>
          {user.avatar !== '' && (
            <Button
              quiet
              icon="delete"
              loading={remove.isPending}
              onClick={() => remove.mutate({ named: user.userName, params })}
            >
              {t('users-ui-avatar-remove')}
            </Button>
          )}
        </div>
        <p className="g-faint">{t('users-ui-avatar-help')}</p>
      </div>
    </div>
  )
}
