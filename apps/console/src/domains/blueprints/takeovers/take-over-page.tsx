import { Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { takeovers, type FoundWorkload, type TakeoverPlan } from '@gantry/contract/blueprints/takeovers'
import { clusters } from '@gantry/contract/clusters/clusters'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { Time } from '../../../ui/time.tsx'
import { ShareFields } from '../../stacks/public.tsx'
import { TeamSelect, useTeamName } from '../../teams/public.tsx'
import { Plan } from '../release/plan.tsx'
import { Send } from '../release/send.tsx'
import styles from './take-over.module.css'

/** Takes a cluster's namespace without a stack over into a team, after a preview of its future services. */
export function TakeOverPage() {
  const envId = useParam('env_uuid')
  const [{ namespace }, change] = useUrlState({ namespace: '' })
  const cluster = useRead(clusters.get, { params: { uuid: envId } })
  const name = cluster.data?.name ?? '…'
  return (
    <Page
      narrow={namespace !== ''}
      title={namespace === '' ? t('takeovers-ui-title', { cluster: name }) : t('takeovers-ui-title-of', { namespace })}
      about={t('takeovers-ui-about', { cluster: name })}
      crumbs={[
        { label: t('route-resourcemanager-environments-new'), to: to('resourcemanager-environments-new') },
        { label: name, to: to('cluster-detail', { env_uuid: envId }) },
      ]}
    >
      {namespace === '' ? (
        <Namespaces envId={envId} />
      ) : (
        <OneNamespace key={namespace} envId={envId} namespace={namespace} onOther={() => change({ namespace: '' })} />
      )}
    </Page>
  )
}

function Namespaces({ envId }: { envId: string }) {
  const teamId = useTeamId()
  const list = useListState('cluster-take-over')
  const query = useRead(takeovers.namespaces, { params: { teamId, envId }, query: list.query })
  return (
    <ResourceTable
      label={t('takeovers-ui-namespaces')}
      query={query}
      list={list}
      rowKey={(row) => row.name}
      nameOf={(row) => row.name}
      search={t('takeovers-ui-search')}
      columns={[
        { key: 'name', title: t('takeovers-ui-namespace'), cell: (row) => row.name },
        { key: 'workloads', title: t('takeovers-ui-workloads'), cell: (row) => row.workloads },
        { key: 'age', title: t('takeovers-ui-age'), cell: (row) => <Time at={row.createdAt} />, wideOnly: true },
      ]}
      open={(row) => to('cluster-take-over', { env_uuid: envId }, { namespace: row.name })}
      empty={{ type: 6, title: t('takeovers-ui-none'), memo: t('takeovers-ui-none-memo') }}
    />
  )
}

const { stackName, description, quota } = takeovers.takeOver.body.shape
/** The new owner, and the stack's name. */
const target = z.strictObject({ teamId: z.number({ error: 'field-required' }).int(), stackName, description, quota })
type Target = z.input<typeof target>

interface PlannedTakeover {
  target: Target
  plan: TakeoverPlan
}

interface OneProps {
  envId: string
  namespace: string
  onOther: () => void
}

function OneNamespace({ envId, namespace, onOther }: OneProps) {
  const teamId = useTeamId()
  const teamName = useTeamName(teamId)
  const go = useGo()
  const [planned, setPlanned] = useState<PlannedTakeover>()
  const [typed, setTyped] = useState('')
  const takeOver = useWrite(takeovers.takeOver, { quiet: true, done: 'create-success' })
  const requestOf = ({ teamId: team, ...rest }: Target) => ({
    params: { t: team, appId: 'none' as const },
    body: { ...rest, envId, namespace },
  })
  const ask = async (wanted: Target, take?: readonly string[]) => {
    const { params, body } = requestOf(wanted)
    const plan = await call(takeovers.check, { params, body: { ...body, ...(take && { take: [...take] }) } })
    setPlanned({ target: wanted, plan })
  }
  return (
    <>
      <p>
        <Button icon="back" onClick={onOther}>
          {t('takeovers-ui-other')}
        </Button>
      </p>
      <Form
        schema={target}
        initial={{ teamId, stackName: namespace.slice(0, 30), description: '', quota: { cpu: null, memory: null } }}
        submit={t('takeovers-ui-preview')}
        whole
        onChange={(values) => setTyped(JSON.stringify(values))}
        onCancel={() => go(to('cluster-detail', { env_uuid: envId }))}
        onSubmit={async (values) => {
          setTyped('')
          await ask(values)
        }}
      >
        <Field name="teamId" label={t('takeovers-ui-team')}>
          <TeamSelect none={t('ui-choose-one')} valueLabel={teamName} />
        </Field>
        <Field name="stackName" label={t('blueprints-ui-stack')} help={t('takeovers-ui-stack-help')}>
          <Input maxLength={30} spellCheck={false} autoComplete="off" />
        </Field>
        <ShareFields under="quota" />
      </Form>
      {planned && (
        <Result
          planned={planned}
          isStale={typed !== ''}
          onTake={(take) => ask(planned.target, take)}
          onClose={onOther}
          onSend={async () => {
            const { params, body } = requestOf(planned.target)
            const made = await takeOver.mutateAsync({
              named: body.stackName,
              params,
              body: { ...body, take: planned.plan.take },
            })
            go(to('app-list', { team_id: params.t }, { keyword: made.name }))
          }}
        />
      )}
    </>
  )
}

interface ResultProps {
  planned: PlannedTakeover
  isStale: boolean
  onTake: (take: readonly string[]) => Promise<void>
  onClose: () => void
  onSend: () => Promise<unknown>
}

function Result({ planned: { plan }, isStale, onTake, onClose, onSend }: ResultProps) {
  const [problem, setProblem] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const take = (name: string, is: boolean) => {
    setProblem('')
    onTake(is ? [...plan.take, name] : plan.take.filter((one) => one !== name)).catch((error: unknown) =>
      setProblem(wordsOf(error)),
    )
  }
  const blocked = plan.take.length === 0 ? t('takeovers-take-required') : plan.plan?.refusals[0]
  return (
    <section className={styles.result} aria-label={t('takeovers-ui-preview')}>
      <h2 ref={heading}>{t('takeovers-ui-becomes')}</h2>
      <ul className={styles.workloads}>
        {plan.workloads.map((one) => (
          <Found
            key={`${one.kind} ${one.name}`}
            one={one}
            isTaken={plan.take.includes(one.name)}
            isStale={isStale}
            onTake={take}
          />
        ))}
      </ul>
      <Problem text={problem} />
      {plan.stays.length > 0 && <Lines title={t('takeovers-ui-stays')} lines={plan.stays} />}
      <Lines
        title={t('takeovers-ui-rules')}
        lines={[
          t('takeovers-ui-rule-pods'),
          t('takeovers-ui-rule-network'),
          t('takeovers-ui-rule-security'),
          t('takeovers-ui-rule-delete'),
        ]}
      />
      {plan.plan && <Plan plan={plan.plan} />}
      <Send
        label={t('takeovers-ui-send', { count: plan.take.length })}
        needs={[]}
        blocked={isStale ? t('takeovers-ui-changed') : blocked}
        onClose={onClose}
        onSend={onSend}
      />
    </section>
  )
}

interface FoundProps {
  one: FoundWorkload
  isTaken: boolean
  isStale: boolean
  onTake: (name: string, is: boolean) => void
}

/** A workload, the resulting service, and the settings that cannot be taken over. */
const Found = ({ one: { name, kind, pods, document, wrong, lost, notes }, isTaken, isStale, onTake }: FoundProps) => (
  <li>
    <label>
      <input
        type="checkbox"
        aria-label={t('takeovers-ui-take', { name })}
        checked={isTaken}
        disabled={isStale || wrong.length > 0}
        onChange={(event) => onTake(name, event.target.checked)}
      />{' '}
      <b>{name}</b>{' '}
      <span className="g-faint">
        {kind} · {t('takeovers-ui-pods', { count: pods })}
      </span>
    </label>
    {wrong.length > 0 && <Lines title={t('takeovers-ui-wrong')} lines={wrong} isBad />}
    {lost.length > 0 && <Lines title={t('takeovers-ui-lost')} lines={lost} />}
    {notes.length > 0 && <Lines title={t('takeovers-ui-notes')} lines={notes} />}
    {document !== '' && (
      <details>
        <summary>{t('takeovers-ui-document', { name })}</summary>
        <pre tabIndex={0} className="g-mono">
          {document}
        </pre>
      </details>
    )}
  </li>
)

const Lines = ({ title, lines, isBad = false }: { title: string; lines: readonly string[]; isBad?: boolean }) => (
  <>
    <h3 className={isBad ? styles.bad : undefined}>{title}</h3>
    <ul>
      {lines.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  </>
)
