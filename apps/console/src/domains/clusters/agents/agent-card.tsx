import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/page.tsx'
import { ShownOnce } from './shown-once.tsx'

const file = 'agent.yaml'

/**
 * The manifest that installs a cluster's agent. It contains a secret and invalidates the previous manifest, so it is
 * generated on request, and never by opening the page.
 */
export function AgentCard({ cluster: { uuid, health } }: { cluster: Cluster }) {
  const make = useWrite(clusters.manifest)
  const made = make.data
  return (
    <Section
      title={t('clusters-ui-agent')}
      about={t(health === 'healthy' ? 'clusters-ui-agent-about' : 'clusters-ui-agent-waits')}
      actions={
        <Button icon="key" loading={make.isPending} onClick={() => make.mutate({ params: { env: uuid } })}>
          {t('clusters-ui-agent-make')}
        </Button>
      }
    >
      {made && (
        <ShownOnce
          text={made.manifest}
          file={file}
          type="application/yaml"
          about={t('clusters-ui-agent-apply', { url: made.url })}
          command={`kubectl apply -f ${file}`}
          warning={t('clusters-ui-agent-once')}
        />
      )}
    </Section>
  )
}
