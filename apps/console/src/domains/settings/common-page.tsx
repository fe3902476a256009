import { mail } from '@gantry/contract/settings/mail'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Page, Section } from '../../ui/page.tsx'
import { QueueForm } from '../agents/public.tsx'
import { AuditRetentionForm } from '../audit/public.tsx'
import { LoginPolicyForm } from '../auth/public.tsx'
import { BackupFiles, ScheduleForm } from '../backups/public.tsx'
import { HostForm } from './host-form.tsx'
import { LicenseForm } from './license-form.tsx'
import { MailForm } from './mail-form.tsx'
import { Outbox } from './outbox.tsx'

/** Mail, login policy, host, builds, backups, license and audit: settings of the whole installation. */
export function CommonPage() {
  return (
    <Page
      title={t('route-sys-common')}
      about={t('settings-ui-about')}
      tabs={[
        {
          key: 'mail',
          label: t('settings-ui-mail'),
          content: () => <MailTab />,
        },
        {
          key: 'login',
          label: t('settings-ui-login'),
          content: () => (
            <Section title={t('settings-ui-login')} about={t('settings-ui-login-about')}>
              <LoginPolicyForm />
            </Section>
          ),
        },
        {
          key: 'host',
          label: t('settings-ui-host'),
          content: () => (
            <Section title={t('settings-ui-host')} about={t('settings-ui-host-about')}>
              <HostForm />
            </Section>
          ),
        },
        {
          key: 'builds',
          label: t('settings-ui-builds'),
          content: () => (
            <Section title={t('settings-ui-builds')} about={t('settings-ui-builds-about')}>
              <QueueForm />
            </Section>
          ),
        },
        {
          key: 'backup',
          label: t('backups-ui-tab'),
          content: () => (
            <>
              <Section title={t('backups-ui-schedule')} about={t('backups-ui-about')}>
                <ScheduleForm />
              </Section>
              <Section title={t('backups-ui-files')} about={t('backups-ui-files-about')}>
                <BackupFiles />
              </Section>
            </>
          ),
        },
        {
          key: 'license',
          label: t('license-ui-tab'),
          content: () => (
            <Section title={t('license-ui-tab')} about={t('license-ui-about')}>
              <LicenseForm />
            </Section>
          ),
        },
        {
          key: 'audit',
          label: t('settings-ui-audit'),
          content: () => (
            <Section title={t('settings-ui-audit')} about={t('settings-ui-audit-about')}>
              <AuditRetentionForm />
            </Section>
          ),
        },
      ]}
    >
      {null}
    </Page>
  )
}

function MailTab() {
  const { isPending } = useRead(mail.get)
  return (
    <>
      <Section title={t('settings-ui-mail')} about={t('settings-ui-mail-about')}>
        <MailForm />
      </Section>
      {/* it starts where the form ends */}
      <div hidden={isPending}>
        <Section title={t('settings-ui-outbox')} about={t('settings-ui-outbox-about')}>
          <Outbox />
        </Section>
      </div>
    </>
  )
}
