import { Input } from 'antd'
import { artifactRepository } from '@gantry/contract/artifact-repository/artifact-repository'
import { type SavedSonar, sonarqubes } from '@gantry/contract/code-quality/sonarqube'
import { tapd } from '@gantry/contract/trackers/tapd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { example } from '../../ui/form/example.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { ArtifactRepositoryForm } from '../artifact-repository/public.tsx'
import { TapdForm } from '../trackers/public.tsx'

const unset: SavedSonar = { url: '', token: '', revision: 0 }

/** The tools that pipelines of all teams use: the code quality server, the artifact repository and TAPD. */
export function CodeQualityPage() {
  const query = useRead(sonarqubes.get)
  const data = query.data === null ? unset : query.data
  // Rendered together, because forms that load one after another would move each other.
  const all = [query, useRead(artifactRepository.get), useRead(tapd.get)]
  return (
    <Page title={t('route-sys-cd-common')} about={t('code-quality-ui-about')}>
      {all.some(({ isPending }) => isPending) ? (
        <Skeleton rows={12} columns={2} />
      ) : (
        <>
          <Section title={t('code-quality-ui-server')} about={t('code-quality-ui-server-about')}>
            <Loaded query={{ ...query, data }}>
              {(stored) => (
                <>
                  {stored.url !== '' && <Version key={stored.revision} />}
                  <ServerForm key={stored.revision} stored={stored} />
                </>
              )}
            </Loaded>
          </Section>
          <Section title={t('artifact-repository-ui-title')} about={t('artifact-repository-ui-about')}>
            <ArtifactRepositoryForm />
          </Section>
          <Section title={t('tapd-ui-title')} about={t('tapd-ui-about')}>
            <TapdForm />
          </Section>
        </>
      )}
    </Page>
  )
}

function ServerForm({ stored: { url, token, revision } }: { stored: SavedSonar }) {
  const save = useWrite(sonarqubes.set, {
    done: 'save-success',
    quiet: true,
  })
  return (
    <Form
      schema={sonarqubes.set.body}
      initial={{ url, token }}
      submit={t('ui-save')}
      onSubmit={(body) => save.mutateAsync({ named: '', body: { ...body, revision } })}
    >
      <Field name="url" label={t('code-quality-ui-url')} help={t('code-quality-ui-url-help')}>
        <Input placeholder={example('https://sonarqube.example.com')} maxLength={2000} />
      </Field>
      <Field name="token" label={t('code-quality-ui-token')} help={t('code-quality-ui-token-help')}>
        <Input.Password autoComplete="new-password" maxLength={500} />
      </Field>
    </Form>
  )
}

/** Whether it responds now. */
function Version() {
  const query = useRead(sonarqubes.version)
  return (
    <Loaded query={query}>
      {({ version }) => (
        <p>
          <StateBadge state="success" text={t('code-quality-ui-version', { version: version ?? '–' })} />
        </p>
      )}
    </Loaded>
  )
}
