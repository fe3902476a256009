import { environments, type Environment } from '@gantry/contract/clusters/environments'
import { saveText } from '../../api/transfer.ts'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { copyText, Copyable } from '../../ui/copyable.tsx'
import { Section } from '../../ui/page.tsx'
import './clusters.css'

const file = 'agent.yaml'

/**
 * What is applied in a cluster so that its agent calls. It has a secret of its own and ends the manifest before it, so it is
 * made when somebody asks for it, and never by looking at the page.
 */
export function AgentCard({ cluster: { uuid, health } }: { cluster: Environment }) {
  const make = useWrite(environments.manifest)
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
        <div className="c-manifest" aria-live="polite">
          <p>{t('clusters-ui-agent-apply', { url: made.url })}</p>
          <p>
            <Copyable text={`kubectl apply -f ${file}`} />
          </p>
          <pre tabIndex={0}>{made.manifest}</pre>
          <div className="g-row">
            <Button icon="download" onClick={() => saveText(made.manifest, file, 'application/yaml')}>
              {t('clusters-ui-agent-save', { file })}
            </Button>
            <Button icon="copy" onClick={() => void copyText(made.manifest)}>
              {t('ui-copy')}
            </Button>
          </div>
          <p className="g-note g-note-warn">{t('clusters-ui-agent-once')}</p>
        </div>
      )}
    </Section>
  )
}
