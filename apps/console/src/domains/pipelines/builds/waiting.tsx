import { builds } from '@gantry/contract/pipelines/builds'
import type { QueueEntry } from '@gantry/contract/pipelines/queue'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { GoTo } from '../../../ui/link.tsx'
import { toBuild } from '../pipelines/places.ts'
import { Duration } from './duration.tsx'
import { useStop } from './stop.ts'
import styles from './build.module.css'

/** A queue's reasons also change with agents, which publish no event here. */
const askAgainMs = 5000

/** Queued builds, each with its position and why every agent does not take it. Renders nothing if none waits. */
export function Waiting({ pipeline, number }: { pipeline: Pipeline; number?: number }) {
  const stop = useStop()
  const { id } = pipeline
  const query = useRead(builds.queue, { params: { id } }, { every: askAgainMs })
  const waiting = (query.data ?? []).filter((entry) => number === undefined || entry.number === number)
  if (waiting.length === 0) return null
  return (
    <section className={styles.waiting} aria-label={t('pipelines-ui-waiting')}>
      {waiting.map((entry) => (
        <div key={`${entry.queueId} ${entry.job}`}>
          <p className={styles.waitingLine}>
            <Icon name="clock" />
            <strong className="g-num">#{entry.number}</strong>
            {entry.job !== '' && <span className="g-clip">{entry.job}</span>}
            <span>{entry.reason}</span>
            <span className="g-quiet">
              {t('pipelines-ui-waiting-for')} <Duration from={entry.queuedAt} to={null} />
            </span>
            {number === undefined && (
              <Button
                small
                quiet
                needs={builds.stop}
                onClick={() => stop(pipeline.id, { number: entry.number, state: 'queued' })}
              >
                {t('pipelines-ui-cancel')}
              </Button>
            )}
          </p>
          {entry.agents.length > 0 && (
            <dl className={styles.agents}>
              {entry.agents.map((agent) => (
                <div key={agent.name}>
                  <dt>{agent.name}</dt>
                  <dd>
                    {agent.reason}
                    <Holders agent={agent} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      ))}
    </section>
  )
}

/** The builds that occupy the agent's slots: the team's by name, those of other teams by their number. */
function Holders({ agent: { builds, others } }: { agent: QueueEntry['agents'][number] }) {
  if (builds.length + others === 0) return null
  return (
    <ul className={styles.holders} aria-label={t('pipelines-ui-holders')}>
      {builds.map(({ pipelineId, appId, projectName, number }) => (
        <li key={`${pipelineId}/${number}`}>
          <GoTo to={toBuild({ id: pipelineId, appId }, number)}>
            {projectName} #{number}
          </GoTo>
        </li>
      ))}
      {others > 0 && <li>{t('pipelines-ui-holders-others', { count: others })}</li>}
    </ul>
  )
}
