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

/**
 * The stage for which a build waits: who may decide, until when, what they fill in, and the decision. Of stages that were
 * asked about: what was decided.
 */
export function GatePanel({ build }: { build: Build }) {
  return build.stages.map(({ name, gate }) => {
    if (!gate) return null
    if (build.state === 'waiting' && gate.state === 'waiting')
      return <Gate key={name} build={build} stage={name} gate={gate} />
    return <Decisions key={name} stage={name} decisions={gate.decisions} />
  })
}

/** Who decided what about a stage, when and why; also what counts no longer. */
function Decisions({ stage, decisions }: { stage: string } & Pick<BuildGate, 'decisions'>) {
  if (decisions.length === 0) return null
  return (
    <ul className={styles.decisions} aria-label={`${t('pipelines-ui-gate-history')}: ${stage}`}>
      {decisions.map(({ name, pass, reason, at, counts }) => (
        <li key={`${name} ${at}`} className={counts ? '' : 'g-quiet'}>
          {t(pass ? 'pipelines-ui-gate-passed' : 'pipelines-ui-gate-rejected', { name, stage })} · <Time at={at} />
          {reason !== '' && <q>{reason}</q>}
          {!counts && <span>({t('pipelines-ui-gate-void')})</span>}
        </li>
      ))}
    </ul>
  )
}

function Gate({ build, stage, gate }: { build: Build; stage: string; gate: BuildGate }) {
  // what is not edited here follows what others fill in
  const [edited, setEdited] = useState<Record<string, string>>({})
  const [reason, setReason] = useState('')
  const decide = useWrite(builds.decide, { done: 'pipelines-ui-gate-done' })
  const parameters = { ...gate.parameters, ...edited }
  const input = (pass: boolean) => ({
    params: { id: build.pipelineId, number: build.number, stage },
    body: { pass, reason: reason.trim(), ...(pass ? { parameters } : {}) },
  })
  const choice = {
    needs: gate.mode === 'manual' ? 'pipeline_build_execute' : 'pipeline_review_operate',
    disabled: gate.obstacle !== '' && gate.obstacle,
  }
  const who = [...gate.users, ...gate.roles]
  const agreed = gate.decisions.filter(({ pass, counts }) => pass && counts)
  const fields = Object.entries(parameters)
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
        {gate.obstacle !== '' && <p>{gate.obstacle}</p>}
        <Decisions stage={stage} decisions={gate.decisions} />
        {fields.length > 0 && <p className="g-quiet">{t('pipelines-ui-gate-values')}</p>}
        {fields.map(([name, value]) => {
          const Field = gate.secrets.includes(name) ? Input.Password : Input
          return (
            <label key={name} className={styles.gateField}>
              <span className="g-mono">{name}</span>
              <Field
                value={value}
                maxLength={4096}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => setEdited((now) => ({ ...now, [name]: event.target.value }))}
              />
            </label>
          )
        })}
        <label className={styles.gateField}>
          <span>{t('pipelines-ui-gate-reason')}</span>
          <Input value={reason} maxLength={1000} onChange={(event) => setReason(event.target.value)} />
        </label>
      </div>
      <div className="g-row">
        <Button small primary {...choice} loading={decide.isPending} onClick={() => decide.mutate(input(true))}>
          {t(gate.mode === 'manual' ? 'pipelines-ui-gate-pass' : 'pipelines-ui-gate-agree')}
        </Button>
        <Button
          small
          danger
          {...choice}
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
