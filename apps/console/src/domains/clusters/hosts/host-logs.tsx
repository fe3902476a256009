import { Input, Select } from 'antd'
import { useMemo } from 'react'
import { hosts, type Host } from '@gantry/contract/clusters/hosts'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import type { LogFeed } from '../../../ui/log/log-feed.ts'
import { LogView } from '../../../ui/log/log-view.tsx'
import { RefreshButton } from '../../../ui/table/refresh-button.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import styles from './hosts.module.css'

const types = ['kubelet', 'containerd', 'kube-proxy', 'system'] as const

/** Lines of one page. */
const size = 1000

type Lines = { time: string; text: string }[]

const feedOf = (lines: Lines): LogFeed => ({
  first: 1,
  last: lines.length,
  line: (n) => {
    const line = lines[n - 1]
    return line && { n, text: line.text, at: line.time || null }
  },
  want: () => undefined,
  live: false,
  loading: false,
})

const millis = (text: string): number => (text === '' ? 0 : new Date(text).getTime() || 0)

/** The logs of a host's own services, for users to whom they reveal nothing of other teams. */
export const HostLogs = ({ host }: { host: Host }) =>
  host.alone ? (
    <Logs host={host} />
  ) : (
    <EmptyState type="other" title={t('hosts-ui-logs-closed')} memo={t('hosts-ui-logs-shared')} />
  )

/** As the kubelet reports them; page by page, the latest first. */
function Logs({ host: { envUuid, name } }: { host: Host }) {
  const [{ type, from, to, page }, change] = useUrlState({ type: 'kubelet', from: '', to: '', page: '1', line: '' })
  const service = types.find((one) => one === type) ?? 'kubelet'
  const at = Math.max(1, Math.trunc(Number(page)) || 1)
  const query = useRead(
    hosts.logs,
    {
      params: { env: envUuid, host: name },
      query: { type: service, size, page: at, from: millis(from), to: millis(to) },
    },
    { keep: false },
  )
  const moment = (key: 'from' | 'to', value: string) => (
    <Input
      type="datetime-local"
      step={1}
      aria-label={t(`hosts-ui-logs-${key}`)}
      prefix={<span className="g-faint">{t(`hosts-ui-logs-${key}`)}</span>}
      value={value}
      onChange={(event) => change({ [key]: event.target.value, page: '1', line: '' })}
    />
  )
  return (
    <div className={styles.log}>
      <div className="g-bar">
        <Select
          aria-label={t('hosts-ui-logs-of')}
          prefix={<span className="g-faint">{t('hosts-ui-logs-of')}</span>}
          popupMatchSelectWidth={false}
          value={service}
          options={types.map((value) => ({ value, label: value === 'system' ? t('hosts-ui-logs-system') : value }))}
          onChange={(value) => change({ type: value, page: '1', line: '' })}
        />
        {moment('from', from)}
        {moment('to', to)}
        <RefreshButton query={query} />
      </div>
      <Loaded query={query}>
        {({ lines, more }) => (
          <>
            {lines.length === 0 ? (
              <EmptyState type="other" title={t('hosts-ui-logs-none')} memo={t('hosts-ui-logs-none-memo')} />
            ) : (
              <Lines key={`${service}/${at}/${from}/${to}`} lines={lines} name={`${name}-${service}`} />
            )}
            {(more || at > 1) && (
              <div className="g-row">
                <Button
                  disabled={!more && t('hosts-ui-logs-none')}
                  onClick={() => change({ page: String(at + 1), line: '' })}
                >
                  {t('hosts-ui-logs-older')}
                </Button>
                {at > 1 && (
                  <Button onClick={() => change({ page: String(at - 1), line: '' })}>{t('hosts-ui-logs-newer')}</Button>
                )}
              </div>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function Lines({ lines, name }: { lines: Lines; name: string }) {
  const feed = useMemo(() => feedOf(lines), [lines])
  return <LogView feed={feed} name={name} />
}
