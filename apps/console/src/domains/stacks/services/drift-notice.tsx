import { drift, type Drift } from '@gantry/contract/stacks/drift'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from './services.module.css'

/** Changes of a service in the cluster by others, and the actions; renders nothing without any. */
export function DriftNotice({ service }: { service: ServiceDetail }) {
  const { teamId, envId, id, name } = service
  const input = { params: { teamId, envId, id } }
  const query = useRead(drift.get, input, { enabled: service.drift > 0, keep: false, of: { serviceId: service.id } })
  const keep = useWrite(drift.keep, { quiet: true })
  const back = useWrite(drift.putBack, { quiet: true })
  if (service.drift === 0) return null
  const misfit = query.data?.fields.some(({ keeps }) => !keeps) ?? true
  const ask = (what: 'keep' | 'put-back') =>
    confirm({
      title: t(`drift-ui-${what}-title`, { name }),
      text: t(`drift-ui-${what}-text`),
      danger: what === 'put-back',
      ok: t(`drift-ui-${what}`),
      run: () => (what === 'keep' ? keep : back).mutateAsync(input),
    })
  return (
    <section className={styles.drift} aria-label={t('drift-ui-title')}>
      <h2>{t('drift-ui-title')}</h2>
      <p className="g-faint">{t('drift-ui-memo')}</p>
      <Loaded query={query}>{(found) => <Fields found={found} />}</Loaded>
      <div className="g-row">
        <Button icon="rollback" needs={drift.putBack} onClick={() => void ask('put-back')}>
          {t('drift-ui-put-back')}
        </Button>
        <Button
          icon="check"
          needs={drift.keep}
          disabled={misfit && t('drift-ui-keep-misfit')}
          onClick={() => void ask('keep')}
        >
          {t('drift-ui-keep')}
        </Button>
      </div>
    </section>
  )
}

const Value = ({ value }: { value: string | null }) =>
  value === null ? <span className="g-faint">{t('drift-ui-nothing')}</span> : <span className="g-mono">{value}</span>

function Fields({ found: { settled, fields } }: { found: Drift }) {
  if (!settled) return <p>{t('drift-unsettled')}</p>
  return (
    <ul>
      {fields.map(({ object, field, wanted, live, by, at, keeps }) => (
        <li key={`${object} ${field}`}>
          <span className="g-mono">
            {object} {field}
          </span>
          {!keeps && field !== '' && <small className="g-faint"> · {t('drift-ui-no-place')}</small>}
          {field === '' ? (
            <p>{t('drift-ui-gone')}</p>
          ) : (
            <p>
              {t('drift-ui-applied')}: <Value value={wanted} /> → {t('drift-ui-live')}: <Value value={live} />
            </p>
          )}
          {by !== '' && (
            <small className="g-faint">
              {t('drift-ui-by')}: {by} {at !== null && <Time at={at} />}
            </small>
          )}
        </li>
      ))}
    </ul>
  )
}
