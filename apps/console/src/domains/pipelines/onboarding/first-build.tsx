import { Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines, type Pipeline } from '@gantry/contract/pipelines/pipelines'
import { Forge, isHttpUrl } from '@gantry/contract/pipelines/repository-url'
import { triggers, type Trigger } from '@gantry/contract/pipelines/triggers'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts, Loaded } from '../../../ui/detail.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { GoTo, useGo } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { toBuild, toPipeline } from '../pipelines/places.ts'
import { forgeNames, forgeOf, hookAddress, outcomeOf } from '../triggers/trigger-words.ts'
import type { Made } from './from-repository.tsx'
import styles from './onboarding.module.css'

interface FirstBuildProps {
  pipelineId: number
  /** Absent after a reload. */
  made?: Made
}

/** A pipeline that was just created: its running first build, and its webhook until the first delivery. */
export function FirstBuild({ pipelineId, made }: FirstBuildProps) {
  const pipeline = useRead(pipelines.get, { params: { id: pipelineId } })
  return (
    <Loaded query={pipeline}>
      {(pipeline) => (
        <>
          <Building pipeline={pipeline} problem={made?.buildProblem ?? ''} />
          <Hook pipeline={pipeline} {...(made ? { made } : {})} />
        </>
      )}
    </Loaded>
  )
}

function Building({ pipeline, problem }: { pipeline: Pipeline; problem: string }) {
  const go = useGo()
  const { id } = pipeline
  const build = useRead(builds.current, { params: { id } })
  const box = useRef<HTMLDivElement>(null)
  // the button that was pressed disappeared with its form
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className={styles.begun}>
      <Section
        title={t('pipelines-onboard-made', { name: pipeline.projectName })}
        actions={<GoTo to={toPipeline('cd-orchestration', pipeline)}>{t('pipelines-onboard-edit')}</GoTo>}
      >
        {problem !== '' && <Problem text={t('pipelines-onboard-build-none', { cause: problem })} />}
        <Loaded query={build}>
          {(newest) =>
            newest && (
              <div className={styles.line}>
                <span>{t('pipelines-onboard-build')}</span>
                <StateBadge state={newest.state} />
                <Button primary icon="log" onClick={() => go(toBuild(pipeline, newest.number))}>
                  {t('pipelines-onboard-log')}
                </Button>
              </div>
            )
          }
        </Loaded>
      </Section>
    </div>
  )
}

/** Deliveries that start nothing publish no event, so the triggers are polled until the first one. */
const askAgainMs = 3000
const hookIn = (all: readonly Trigger[]) => all.find(({ rule }) => rule.kind === 'webhook')

function Hook({ pipeline, made }: { pipeline: Pipeline; made?: Made }) {
  const { id } = pipeline
  const [waits, setWaits] = useState(true)
  const list = useRead(triggers.list, { params: { id } }, { every: waits && askAgainMs })
  const isDue = list.data === undefined || hookIn(list.data)?.last === null
  if (isDue !== waits) setWaits(isDue)
  const problem = made?.hookProblem ?? ''
  return (
    <Section title={t('pipelines-onboard-hook')} about={t('pipelines-onboard-hook-about')}>
      {problem !== '' && (
        <p className="g-note g-note-warn" role="alert">
          {t('pipelines-onboard-hook-none', { cause: problem })}
        </p>
      )}
      <Loaded query={list}>
        {(all) => {
          const trigger = hookIn(all)
          return trigger && <OneHook {...{ pipeline, trigger }} first={made?.secret ?? ''} />
        }}
      </Loaded>
    </Section>
  )
}

interface OneHookProps {
  pipeline: Pipeline
  trigger: Trigger
  /** The secret; empty if this answer did not contain it. */
  first: string
}

function OneHook({ pipeline, trigger, first }: OneHookProps) {
  const { repository } = pipeline
  const [forge, setForge] = useState(() => forgeOf(repository?.url ?? ''))
  const [secret, setSecret] = useState(first)
  const at = { params: { id: pipeline.id, triggerId: trigger.id } }
  const set = useWrite(triggers.setHook, {
    done: 'pipelines-ui-trigger-hook-done',
    quiet: true,
  })
  const renew = useWrite(triggers.renewSecret)
  const canBeSet =
    repository !== null && isHttpUrl(repository.url) && (repository.credentialId !== null || repository.password !== '')
  const { last, hook } = trigger
  return (
    <>
      {canBeSet && hook === null && (
        <div className={styles.line}>
          <Select<Forge>
            aria-label={t('pipelines-ui-trigger-forge')}
            value={forge}
            onChange={setForge}
            options={Forge.options.map((value) => ({ value, label: forgeNames[value] }))}
          />
          <Button
            icon="link"
            needs={triggers.setHook}
            loading={set.isPending}
            onClick={() => set.mutate({ ...at, body: { forge } })}
          >
            {t('pipelines-onboard-hook-set')}
          </Button>
        </div>
      )}
      <Problem text={set.error && wordsOf(set.error)} />
      {hook === null ? (
        <>
          <p className="g-quiet">
            {t(canBeSet ? 'pipelines-onboard-hook-by-hand' : 'pipelines-onboard-hook-by-hand-only')}
          </p>
          <Facts
            facts={[
              { label: t('pipelines-onboard-hook-address'), value: <Copyable text={hookAddress(pipeline)} /> },
              {
                label: t('pipelines-onboard-hook-secret'),
                value:
                  secret === '' ? (
                    <Button
                      small
                      icon="key"
                      needs={triggers.renewSecret}
                      loading={renew.isPending}
                      onClick={() => renew.mutate(at, { onSuccess: (given) => setSecret(given.secret) })}
                    >
                      {t('pipelines-onboard-hook-new-secret')}
                    </Button>
                  ) : (
                    <Copyable text={secret} />
                  ),
              },
            ]}
          />
        </>
      ) : (
        <p className="g-ok">{t('pipelines-onboard-hook-is-set', { forge: forgeNames[hook] })}</p>
      )}
      <p className={last ? 'g-ok' : 'g-quiet'} role="status">
        {last ? (
          <>
            {t('pipelines-onboard-hook-came', { event: last.event })} ·{' '}
            {last.number === null ? (
              outcomeOf(last)
            ) : (
              <GoTo to={toBuild(pipeline, last.number)}>{outcomeOf(last)}</GoTo>
            )}
          </>
        ) : (
          t('pipelines-onboard-hook-waiting')
        )}
      </p>
    </>
  )
}
