import { credentials } from '@gantry/contract/pipelines/credentials'
import { Checkbox, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { groups } from '@gantry/contract/pipelines/groups'
import { proposals, type Proposal } from '@gantry/contract/pipelines/editing/proposals'
import { repositoryName } from '@gantry/contract/pipelines/repository-url'
import { triggers } from '@gantry/contract/pipelines/triggers'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { ChoiceCards } from '../../../ui/form/choice-cards.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { BranchInput } from '../definition/repository-fields.tsx'
import { shortCommit } from '../definition/words.ts'
import { GroupSelect } from '../groups/group-select.tsx'
import { newKey } from '../pipelines/places.ts'
import { type RepositoryInput, type Found, LookForm } from './look-form.tsx'
import { memoOf } from './proposal-words.ts'
import { ProposalSteps } from './proposal-steps.tsx'
import styles from './onboarding.module.css'

const ProposalEditor = later(async () => (await import('./proposal-editor.tsx')).ProposalEditor)

/** The result of creating a pipeline. */
export interface Made {
  pipelineId: number
  /** The webhook's secret, which only one answer contains. */
  secret: string
  /** Why there is no webhook. */
  hookProblem: string
  /** Why no build was started. */
  buildProblem: string
}

/** From the address of a repository to a pipeline with a running first build. */
export function FromRepository({ onMade }: { onMade: (made: Made) => void }) {
  const [input, setInput] = useState<RepositoryInput>({ url: '' })
  const [found, setFound] = useState<Found>()
  if (!found)
    return (
      <Section about={t('pipelines-onboard-about')}>
        <LookForm
          input={input}
          onFound={(input, found) => {
            setInput(input)
            setFound(found)
          }}
        />
      </Section>
    )
  return (
    <>
      <div className={styles.line}>
        <span className="g-mono g-clip">{input.url}</span>
        <Button quiet small icon="edit" onClick={() => setFound(undefined)}>
          {t('pipelines-onboard-other')}
        </Button>
      </div>
      <Choice {...{ input, found, onMade }} />
    </>
  )
}

const { appId, projectName } = proposals.create.body.shape
const schema = z.object({
  appId,
  projectName,
  branch: z.string().min(1),
  keepCredential: z.boolean(),
})

interface ChoiceProps {
  input: RepositoryInput
  found: Found
  onMade: (made: Made) => void
}

/** The proposals for a repository, one of which becomes the pipeline. */
function Choice({ input, found, onMade }: ChoiceProps) {
  const teamId = useTeamId()
  const [{ groupId }] = useUrlState({ groupId: '' })
  const [chosen, setChosen] = useState('0')
  const [edited, setEdited] = useState<StageInput[]>()
  const [editing, setEditing] = useState(false)
  const create = useWrite(proposals.create, {
    done: 'create-success',
    quiet: true,
  })
  const maySeeGroups = useMay(groups.list)
  const some = useRead(groups.list, { params: { teamId }, query: { pageSize: 2 } }, { enabled: maySeeGroups })
  const mayKeep = useMay(credentials.create)
  const hasSecret = typeof input.credentialId !== 'number' && Boolean(input.password || input.privateKey)
  const proposal = found.proposals[Number(chosen)]
  const box = useRef<HTMLDivElement>(null)
  // the button that was pressed disappeared with its form
  useEffect(() => box.current?.focus(), [])
  if (!proposal) return null
  const stages = edited ?? proposal.definition.stages

  return (
    <div ref={box} tabIndex={-1} className={styles.begun}>
      <Section
        title={t('pipelines-onboard-proposals')}
        about={t('pipelines-onboard-proposals-about', { branch: found.branch, commit: shortCommit(found.commit) })}
      >
        {found.isCut && (
          <p className="g-note g-note-warn" role="status">
            {t('pipelines-onboard-cut')}
          </p>
        )}
        {found.hostKey && (
          <p className="g-note">
            {t('pipelines-ui-host-key-met', { type: found.hostKey.type })}{' '}
            <span className="g-mono">{found.hostKey.fingerprint}</span>
          </p>
        )}
        <ChoiceCards
          label={t('pipelines-onboard-proposals')}
          choices={found.proposals.map((one, at) => ({
            value: String(at),
            title: titleOf(one),
            memo: memoOf(one),
          }))}
          value={chosen}
          onChange={(value) => {
            setChosen(value)
            setEdited(undefined)
            setEditing(false)
          }}
        />
        <ProposalSteps stages={stages}>
          <Button quiet small icon="edit" pressed={editing} onClick={() => setEditing(!editing)}>
            {t('pipelines-onboard-edit')}
          </Button>
        </ProposalSteps>
        {editing && (
          <ProposalEditor
            key={chosen}
            draftKey={`proposal-${input.url}-${found.commit}-${chosen}`}
            stages={stages}
            onApply={(changed) => {
              setEdited(changed)
              setEditing(false)
            }}
          />
        )}
        <Form
          schema={schema}
          initial={{
            projectName: repositoryName(input.url).slice(0, 30),
            branch: found.branch,
            keepCredential: hasSecret && mayKeep,
            ...(groupId === '' ? {} : { appId: Number(groupId) }),
          }}
          submit={t('pipelines-onboard-create')}
          needs={proposals.create}
          onSubmit={async ({ branch, ...body }) => {
            const { id, ...made } = await create.mutateAsync({
              params: { teamId },
              body: { ...body, repository: { ...input, branch }, definition: { stages } },
            })
            onMade({ pipelineId: id, ...(await begin(made.uuid)) })
          }}
        >
          <div className="g-columns">
            <Field name="projectName" label={t('pipelines-ui-name')} help={t('pipelines-ui-name-help')}>
              <Input maxLength={30} />
            </Field>
            <Field name="branch" label={t('pipelines-ui-branch')} help={t('pipelines-ui-branch-help')}>
              <BranchInput branches={found.branches} />
            </Field>
          </div>
          {(some.data?.totalSize ?? 0) > 1 && (
            <Field name="appId" label={t('pipelines-ui-group')} help={t('pipelines-ui-group-help')}>
              <GroupSelect />
            </Field>
          )}
          {hasSecret && mayKeep && (
            <Field name="keepCredential" label={t('pipelines-onboard-credentials')} value="checked">
              <Checkbox>{t('pipelines-onboard-keep')}</Checkbox>
            </Field>
          )}
        </Form>
      </Section>
    </div>
  )
}

const titleOf = ({ kind, folder }: Proposal): string =>
  t(`pipelines-onboard-kind-${kind}`) + (folder === '' ? '' : ` · ${folder}`)

/** Starts the first build and creates the webhook. The pipeline exists even if they fail. */
async function begin(uuid: string): Promise<Omit<Made, 'pipelineId'>> {
  const params = { id: uuid }
  const buildProblem = await call(builds.trigger, { params, body: { idempotencyKey: newKey() } }).then(
    () => '',
    wordsOf,
  )
  return call(triggers.create, { params, body: { rule: { kind: 'webhook', events: ['push'] } } }).then(
    ({ secret }) => ({ secret, buildProblem, hookProblem: '' }),
    (error: unknown) => ({ secret: '', buildProblem, hookProblem: wordsOf(error) }),
  )
}
