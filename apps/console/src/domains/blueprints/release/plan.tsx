import type { ReleasePlan } from '@gantry/contract/blueprints/releases'
import { t } from '../../../api/language.ts'
import styles from './release.module.css'

const figure = (value: number): number => Math.round(value * 100) / 100

/** A preview of a deployment's actions. */
export function Plan({ plan }: { plan: ReleasePlan }) {
  const { made, changed, removed, restarted, same, share, outputs, refusals } = plan
  const of = (resource: 'cpu' | 'memory') =>
    t(`blueprints-ui-share-${resource}`, {
      before: figure(share.before[resource]),
      after: figure(share.after[resource]),
      hard: share.quota[resource] ?? t('blueprints-ui-no-limit'),
    })
  return (
    <div className={styles.plan} role="region" aria-label={t('blueprints-ui-plan')}>
      {refusals.map((refusal) => (
        <p key={refusal} className="g-note g-note-bad" role="alert">
          {refusal}
        </p>
      ))}
      {made.length > 0 && (
        <>
          <h2>{t('blueprints-ui-made')}</h2>
          <ul>
            {made
              .toSorted((a, b) => a.turn - b.turn)
              .map(({ name, image, turn, requires }) => (
                <li key={name}>
                  <b>{name}</b> <span className="g-mono g-faint">{image}</span>{' '}
                  <small className="g-faint">
                    {requires.length > 0
                      ? t('blueprints-ui-turn-after', { turn, services: requires.join(', ') })
                      : t('blueprints-ui-turn', { turn })}
                  </small>
                </li>
              ))}
          </ul>
        </>
      )}
      {changed.length > 0 && (
        <>
          <h2>{t('blueprints-ui-changed-services')}</h2>
          <ul>
            {changed.map(({ name, fields }) => (
              <li key={name}>
                <b>{name}</b>
                {restarted.includes(name) && <small className="g-faint"> · {t('blueprints-ui-restarted')}</small>}
                <ul>
                  {fields.map(({ field, before, after }) => (
                    <li key={field} className="g-mono">
                      {field}: <del>{before ?? '–'}</del> → <ins>{after ?? '–'}</ins>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </>
      )}
      {removed.length > 0 && (
        <>
          <h2>{t('blueprints-ui-removed')}</h2>
          <p>{removed.join(', ')}</p>
          <p className="g-faint">{t('blueprints-ui-removed-memo')}</p>
        </>
      )}
      {same.length > 0 && <p className="g-faint">{t('blueprints-ui-same', { services: same.join(', ') })}</p>}
      {refusals.length === 0 && (
        <>
          <h2>{t('blueprints-ui-share')}</h2>
          <p className="g-num">{of('cpu')}</p>
          <p className="g-num">{of('memory')}</p>
        </>
      )}
      {outputs.length > 0 && (
        <>
          <h2>{t('blueprints-ui-outputs')}</h2>
          <ul>
            {outputs.map(({ name, value, description }) => (
              <li key={name} title={description}>
                <b>{name}</b> <span className="g-mono">{value}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
