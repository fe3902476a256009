import { decisions } from '@gantry/contract/decisions/decisions'
import { Switch } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Section } from '../../ui/page.tsx'
import styles from './decisions.module.css'

/** Whether the user gets a mail about pending decisions, and why none would arrive. */
export function MailSection() {
  const setting = useRead(decisions.mail)
  const save = useWrite(decisions.setMail)
  return (
    <Section title={t('decisions-ui-mail')} about={t('decisions-ui-mail-help')}>
      <Loaded query={setting}>
        {({ on, obstacle }) => (
          <>
            <label className={styles.setting}>
              <Switch checked={on} loading={save.isPending} onChange={(next) => save.mutate({ body: { on: next } })} />
              {t('decisions-ui-mail-on')}
            </label>
            {obstacle !== '' && (
              <p className="g-note" role="status">
                {obstacle}
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
