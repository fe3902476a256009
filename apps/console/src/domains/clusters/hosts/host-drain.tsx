import { hosts, type HostDetail } from '@gantry/contract/clusters/hosts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { Time } from '../../../ui/time.tsx'
import { whyShared } from './host-marks.tsx'
import styles from './hosts.module.css'

/** The progress of a host's maintenance, and what it waits for; after its end only if there is a reason. */
export function HostDrain({ host, onEnd }: { host: HostDetail; onEnd: () => void }) {
  const { maintenance } = host
  if (!maintenance || (maintenance.state === 'stopped' && maintenance.message === '')) return null
  const { state, total, left, waiting, message, startedAt } = maintenance
  const gone = total - left
  const under = state === 'draining' || state === 'done'
  return (
    <section className={styles.drain} aria-label={t('state-maintenance')} aria-live="polite">
      <div className={styles.drainHead}>
        <StateBadge state={state} text={t(`hosts-ui-drain-${state}`)} />
        <span className="g-faint">
          {t('hosts-ui-drain-began')} <Time at={startedAt} />
        </span>
        {under && (
          <Button
            needs={hosts.maintenance}
            disabled={whyShared(host)}
            icon={state === 'done' ? 'check' : 'stop'}
            onClick={onEnd}
          >
            {t(state === 'done' ? 'hosts-ui-maintenance-end' : 'hosts-ui-maintenance-stop')}
          </Button>
        )}
      </div>
      {state === 'draining' && (
        <>
          <span className="g-num">{t('hosts-ui-drain-progress', { gone, total })}</span>
          <div
            className="g-meter"
            role="progressbar"
            aria-label={t('hosts-ui-drain-draining')}
            aria-valuemin={0}
            aria-valuemax={total}
            aria-valuenow={gone}
          >
            <i style={{ width: `${total > 0 ? (gone / total) * 100 : 0}%` }} />
          </div>
        </>
      )}
      {state === 'done' && <p>{t('hosts-ui-drain-done-text')}</p>}
      {message !== '' && <p className="g-note g-note-warn">{message}</p>}
      {waiting.length > 0 && (
        <>
          <h2>{t('hosts-ui-drain-waiting')}</h2>
          <ul className={styles.waiting} ref={scrollStop} aria-label={t('hosts-ui-drain-waiting')}>
            {waiting.map(({ namespace, pod, reason }) => (
              <li key={`${namespace}/${pod}`}>
                <span className="g-key" translate="no">
                  {namespace} / {pod}
                </span>
                <small>{reason}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
