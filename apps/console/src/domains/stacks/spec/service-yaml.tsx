import { Segmented } from 'antd'
import { parseAllDocuments } from 'yaml'
import { stacks } from '@gantry/contract/stacks/stacks'
import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { saveText } from '../../../api/transfer.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { YamlEditor } from '../../../ui/editor/editors.tsx'
import { allows } from '../services/service-states.ts'
import { specOf, specProblems, specText } from './spec-text.ts'
import styles from './spec.module.css'

/** A service as text: its specification, which can be edited and applied as an upgrade, and its Kubernetes objects. */
export function ServiceYaml({ service }: { service: ServiceDetail }) {
  const [{ show }, setUrl] = useUrlState({ show: 'spec' })
  return (
    <div className={styles.yaml}>
      <Segmented
        aria-label={t('stacks-ui-yaml-what')}
        value={show}
        options={[
          { value: 'spec', label: t('stacks-ui-yaml-spec') },
          { value: 'objects', label: t('stacks-ui-yaml-objects') },
        ]}
        onChange={(next) => setUrl({ show: next }, { replace: true })}
      />
      {show === 'objects' ? <Objects service={service} /> : <Specification service={service} />}
    </div>
  )
}

function Specification({ service }: { service: ServiceDetail }) {
  const upgrade = useWrite(services.update, { done: 'upgrade-success', quiet: true })
  const { teamId, name, stackUuid, state } = service
  const open = allows(state, 'upgrade')
  const text = specText(service.spec)
  return (
    <>
      {!open && <p className="g-note g-note-warn">{t(`stacks-not-now-${state}`, { name })}</p>}
      <div className="g-row g-row-end">
        <Download text={text} name={`${service.stackName}-${name}`} />
      </div>
      <YamlEditor
        key={`${service.revision}/${open}`}
        value={text}
        draftKey={`service-${service.id}`}
        label={t('stacks-ui-yaml-spec')}
        check={specProblems}
        apply={t('stacks-ui-upgrade')}
        needs={services.update}
        {...(open
          ? {
              onApply: (next: string) =>
                upgrade.mutateAsync({
                  named: name,
                  params: { teamId, stackId: stackUuid, serviceName: name },
                  body: specOf(next),
                }),
            }
          : {})}
      />
    </>
  )
}

/** Those of the stack's objects that belong to the service. */
function ownObjects(yaml: string, id: number): string {
  return parseAllDocuments(yaml)
    .filter((document) => document.getIn(['metadata', 'labels', 'gantry.dev/service']) === String(id))
    .map((document) => String(document).replace(/^---\n/, ''))
    .join('---\n')
}

const Download = ({ text, name }: { text: string; name: string }) => (
  <Button quiet icon="download" onClick={() => saveText(text, `${name}.yaml`, 'application/yaml')}>
    {t('ui-log-download')}
  </Button>
)

function Objects({ service }: { service: ServiceDetail }) {
  const query = useRead(stacks.yaml, { params: { id: service.stackUuid } }, { keep: false })
  return (
    <>
      <p className="g-faint">{t('stacks-ui-yaml-masked')}</p>
      <Loaded query={query}>
        {({ yaml }) => (
          <>
            <div className="g-row g-row-end">
              <Download text={ownObjects(yaml, service.id)} name={`${service.stackName}-${service.name}-objects`} />
            </div>
            <YamlEditor
              key={service.revision}
              value={ownObjects(yaml, service.id)}
              draftKey={`service-objects-${service.id}`}
              label={t('stacks-ui-yaml-objects')}
            />
          </>
        )}
      </Loaded>
    </>
  )
}
