import { t } from '../../api/language.ts'
import { Page } from '../../ui/page.tsx'
import { ChannelTable } from './channel-table.tsx'
import { HistoryTable } from './history-table.tsx'
import { RuleTable } from './rule-table.tsx'
import { TemplateTable } from './template-table.tsx'

/** A team's alarms: rules, templates, notification methods and history. */
export function AlarmsPage() {
  return (
    <Page
      title={t('route-monitorRule')}
      about={t('alarms-ui-about')}
      tabs={[
        { key: 'rules', label: t('alarms-ui-tab-rules'), content: () => <RuleTable /> },
        { key: 'templates', label: t('alarms-ui-tab-templates'), content: () => <TemplateTable /> },
        { key: 'notifications', label: t('alarms-ui-tab-notifications'), content: () => <ChannelTable /> },
        { key: 'history', label: t('alarms-ui-tab-history'), content: () => <HistoryTable /> },
      ]}
    >
      {null}
    </Page>
  )
}
