import { hosts, type Host } from '@gantry/contract/clusters/hosts'
import { pods } from '@gantry/contract/clusters/pods'
import { useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Loaded } from '../../../ui/detail.tsx'

/** The number of pods that are named in a long list. */
const maxNamed = 8

/** Confirms before a host is drained, and names the pods that leave it. */
export function MaintenanceDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const { envUuid, name } = host
  const [problem, setProblem] = useState('')
  const query = useRead(
    pods.list,
    { params: { env: envUuid }, query: { host: name, pageSize: 1000, sort: 'namespace' } },
    { keep: false, staleMs: 0 },
  )
  const maintain = useWrite(hosts.maintenance, {
    done: 'option-success',
    quiet: true,
  })
  const begin = () =>
    maintain
      .mutateAsync({ named: name, params: { env: envUuid, host: name }, body: { enable: true } })
      .then(onClose, (error: unknown) => setProblem(wordsOf(error)))
  return (
    <Dialog
      title={t('hosts-ui-drain-title', { name })}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t('ui-cancel')}</Button>
          <Button primary danger loading={maintain.isPending} onClick={() => void begin()}>
            {t('hosts-ui-maintenance')}
          </Button>
        </>
      }
    >
      <div className="g-dialog-text">{t('hosts-ui-drain-text')}</div>
      <Loaded query={query}>
        {({ items }) => {
          const spaces = [...Map.groupBy(items, ({ namespace }) => namespace)]
          if (spaces.length === 0) return null
          return (
            <>
              <p>{t('hosts-ui-drain-leaves')}</p>
              <ul className="g-goes" ref={scrollStop}>
                {spaces.slice(0, maxNamed).map(([namespace, there]) => (
                  <li key={namespace}>{t('hosts-ui-drain-goes', { count: there.length, namespace })}</li>
                ))}
                {spaces.length > maxNamed && <li>{t('ui-and-more', { count: spaces.length - maxNamed })}</li>}
              </ul>
            </>
          )
        }}
      </Loaded>
      <p className="g-note">{t('hosts-ui-drain-rest')}</p>
      <Problem text={problem} />
    </Dialog>
  )
}
