import { Input } from 'antd'
import { useState } from 'react'
import { builds, type Build, type BuildGate } from '@gantry/contract/pipelines/builds'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from './build.module.css'

/** The stage for which a build waits: who may decide, until when, what they fill in, and the decision. */
export function GatePanel({ build }: { build: Build }) {
  const stage = build.state === 'waiting' ? build.stages.find(({ gate }) => gate?.state === 'waiting') : undefined
  if (!stage?.gate) return null
  return <Gate key={stage.name} build={build} stage={stage.name} gate={stage.gate} />
}

function Gate({ build, stage, gate }: { build: Build; stage: string; gate: BuildGate }) {
  const [parameters, setParameters] = useState(gate.parameters)
  const decide = useWrite(builds.decide, { done: 'pipelines-ui-gate-done' })
  const input = (pass: boolean) => ({
    params: { id: build.pipelineId, number: build.number, stage },
    body: { pass, ...(pass ? { parameters } : {}) },
  })
  const needs = gate.mode === 'manual' ? 'pipeline_build_execute' : 'pipeline_review_operate'
  const who = [...gate.users, ...gate.roles]
  const agreed = gate.decisions.filter(({ pass }) => pass)
  return (
    <section className={styles.gate} aria-label={stage}>
      <Icon name="clock" size={20} />
      <div>
        <h2>
          {gate.mode === 'manual'
            ? t('pipelines-ui-gate-manual', { stage })
            : t('pipelines-ui-gate-approve', { stage, count: agreed.length, wanted: gate.count })}
        </h2>
        <p className="g-quiet">
          {who.length > 0 && <>{t('pipelines-ui-gate-who', { who: who.join(', ') })} </>}
          {gate.until !== null && (
            <>
              {t('pipelines-ui-gate-until')} <Time at={gate.until} />
            </>
          )}
        </p>
        {agreed.map(({ name }) => (
          <p key={name}>{t('pipelines-ui-gate-passed', { name, stage })}</p>
        ))}
        {Object.entries(parameters).map(([name, value]) => (
          <label key={name} className={styles.gateField}>
            <span className="g-mono">{name}</span>
            <Input
              value={value}
              maxLength={4096}
              spellCheck={false}
              onChange={(event) => setParameters((now) => ({ ...now, [name]: event.target.value }))}
            />
          </label>
        ))}
      </div>
      <div className="g-row">
        <Button small primary needs={needs} loading={decide.isPending} onClick={() => decide.mutate(input(true))}>
          {t(gate.mode === 'manual' ? 'pipelines-ui-gate-pass' : 'pipelines-ui-gate-agree')}
        </Button>
        <Button
          small
          danger
          needs={needs}
          onClick={() =>
            void confirm({
              title: t('pipelines-ui-gate-reject-title', { stage }),
              danger: true,
              ok: t('pipelines-ui-gate-reject'),
              run: () => decide.mutateAsync(input(false)),
            })
          }
        >
          {t('pipelines-ui-gate-reject')}
        </Button>
      </div>
    </section>
  )
}
