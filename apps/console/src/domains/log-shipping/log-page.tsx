import { t } from '../../api/language.ts'
import { Page, Section } from '../../ui/page.tsx'
import { CollectionForm } from './collection-form.tsx'
import { Collectors } from './collectors.tsx'
import { KafkaForm } from './kafka-form.tsx'

/** The shipping of logs: Kafka, and the collection in clusters. */
export function LogPage() {
  return (
    <Page
      title={t('route-sys-log')}
      about={t('logs-ui-about')}
      tabs={[
        {
          key: 'kafka',
          label: t('logs-ui-kafka'),
          content: () => (
            <Section title={t('logs-ui-kafka')} about={t('logs-ui-kafka-about')}>
              <KafkaForm />
            </Section>
          ),
        },
        {
          key: 'collection',
          label: t('logs-ui-collection'),
          content: () => (
            <>
              <Section title={t('logs-ui-collection')} about={t('logs-ui-collection-about')}>
                <CollectionForm />
              </Section>
              <Section title={t('logs-ui-collectors')}>
                <Collectors />
              </Section>
            </>
          ),
        },
      ]}
    >
      {null}
    </Page>
  )
}
