import type { z } from 'zod'
import { ldap } from '@gantry/contract/ldap/ldap'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { Facts } from '../../ui/detail.tsx'
import { TryForm } from '../../ui/form/try-form.tsx'
import styles from './ldap.module.css'

/** Tests the directory with the input, before anything is saved, and shows what it finds. */
export const TestButton = ({ id }: { id?: number }) => (
  <TryForm
    label={t('ldap-ui-test')}
    fine={t('ldap-ui-test-fine')}
    ask={(typed) => call(ldap.validate, { body: ldap.validate.body.parse({ ...typed, id }) })}
  >
    {(found) => <Found found={found} />}
  </TryForm>
)

/** The server counts at most this many. */
const maxCounted = 1_000
const figure = (count: number): string => (count >= maxCounted ? t('ldap-ui-test-more', { count }) : String(count))

function Found({ found }: { found: z.output<typeof ldap.validate.data> }) {
  return (
    <>
      {found.missing.length > 0 && (
        <p className="g-note g-note-warn">{t('ldap-ui-test-missing', { attributes: found.missing.join(', ') })}</p>
      )}
      {found.unknownGroups.length > 0 && (
        <p className="g-note g-note-warn">{t('ldap-ui-test-unknown', { groups: found.unknownGroups.join('; ') })}</p>
      )}
      {found.sharedEmails.length > 0 && (
        <p className="g-note g-note-warn">
          {t('ldap-ui-test-shared', {
            shared: found.sharedEmails.map(({ email, names }) => `${email} (${names.join(', ')})`).join('; '),
          })}
        </p>
      )}
      <Facts
        facts={[
          { label: t('ldap-ui-test-users'), value: figure(found.users) },
          { label: t('ldap-ui-test-groups'), value: figure(found.groups) },
          {
            label: t('ldap-ui-test-sample'),
            wide: true,
            value: (
              <ul className={styles.sample}>
                {found.sample.map((user) => (
                  <li key={user.dn}>
                    {[user.userName, user.nickname, user.email].filter(Boolean).join(' · ')}
                    <small>{user.dn}</small>
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </>
  )
}
