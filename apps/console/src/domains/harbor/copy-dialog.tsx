import { harborProjects, namespaces } from '@gantry/contract/harbor/projects'
import { type Replication, replications } from '@gantry/contract/harbor/replication'
import { harbors } from '@gantry/contract/harbor/servers'
import { Select } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { useTeamId } from '../../ui/link.tsx'

interface CopyProps {
  harborId: number
  repo: string
  tags: readonly string[]
  /** Whether the screen is a team's: then the targets are its projects, too. */
  ofTeam: boolean
  onClose: () => void
}

/** Copies tags to another project, and shows the progress. The copy continues when the dialog is closed. */
export function CopyDialog(p: CopyProps) {
  const { harborId, repo, tags, onClose } = p
  const [started, setStarted] = useState<Replication>()
  return (
    <Dialog title={t('harbor-ui-copy')} onClose={onClose}>
      <p>{t('harbor-ui-copy-about', { tags: tags.length, repo })}</p>
      {started ? (
        <CopyProgress harborId={harborId} started={started} onClose={onClose} />
      ) : (
        <CopyForm {...p} onStarted={setStarted} />
      )}
    </Dialog>
  )
}

/** A Harbor and one of its projects, as one value. */
const schema = z.strictObject({ target: z.string().regex(/^\d+\/\d+$/, 'value-required') })

function CopyForm({
  harborId,
  repo,
  tags,
  ofTeam,
  onClose,
  onStarted,
}: CopyProps & { onStarted: (to: Replication) => void }) {
  const start = useWrite(replications.start, { quiet: true })
  return (
    <Form
      schema={schema}
      submit={t('harbor-ui-copy-start')}
      onCancel={onClose}
      onSubmit={async ({ target }) => {
        const [into = 0, projectId = 0] = target.split('/').map(Number)
        const images = tags.map((tag) => ({ repo, tag }))
        const body = { images, target: { harborId: into, projectId } }
        onStarted(await start.mutateAsync({ params: { id: harborId }, body }))
      }}
    >
      <Field name="target" label={t('harbor-ui-copy-target')}>
        {ofTeam ? <TeamTarget /> : <AnyTarget harborId={harborId} />}
      </Field>
    </Form>
  )
}

interface TargetProps {
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}

function TeamTarget(field: TargetProps) {
  const teamId = useTeamId()
  return (
    <RemoteSelect
      {...field}
      endpoint={namespaces.list}
      input={{ params: { tenantId: teamId } }}
      pageSize={20}
      option={(row) => ({ value: `${row.harborId}/${row.projectId}`, label: `${row.harborName} / ${row.name}` })}
    />
  )
}

function AnyTarget({ harborId, ...field }: TargetProps & { harborId: number }) {
  const query = useRead(harbors.list)
  const [into, setInto] = useState(harborId)
  return (
    <div className="g-columns">
      <Select
        className="g-select"
        aria-label={t('harbor-ui-copy-harbor')}
        value={into}
        onChange={(other: number) => {
          setInto(other)
          field.onChange?.(undefined)
        }}
        options={(query.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <RemoteSelect
        {...field}
        key={into}
        endpoint={harborProjects.list}
        input={{ params: { id: into } }}
        pageSize={20}
        option={({ projectId, name }) => ({ value: `${into}/${projectId}`, label: name })}
      />
    </div>
  )
}

const running = ({ state }: Replication): boolean => state === 'pending' || state === 'running'

function CopyProgress({ harborId, started, onClose }: { harborId: number; started: Replication; onClose: () => void }) {
  const params = { id: harborId, replicationId: started.id }
  const [over, setOver] = useState(false)
  const query = useRead(replications.get, { params }, { every: over ? false : 1000 })
  const stop = useWrite(replications.stop)
  const copy = query.data ?? started
  if (!running(copy) && !over) setOver(true)
  return (
    <>
      <div className="g-row">
        <StateBadge
          state={copy.state === 'running' ? 'started' : copy.state}
          text={t(`harbor-ui-copy-state-${copy.state}`)}
        />
        <span className="g-num">{t('harbor-ui-copy-progress', { done: copy.done, total: copy.total })}</span>
      </div>
      <div
        className={copy.state === 'failed' ? 'g-meter g-meter-short' : 'g-meter'}
        role="progressbar"
        aria-label={t('harbor-ui-copy')}
        aria-valuemin={0}
        aria-valuemax={copy.total}
        aria-valuenow={copy.done}
      >
        <i style={{ width: `${copy.total > 0 ? (100 * copy.done) / copy.total : 0}%` }} />
      </div>
      {copy.items.map(
        ({ image, problem }) =>
          problem !== '' && (
            <p key={image} className="g-note g-note-bad">
              {`${image}: ${problem}`}
            </p>
          ),
      )}
      <div className="g-row">
        {running(copy) && (
          <Button danger loading={stop.isPending} onClick={() => stop.mutate({ params })}>
            {t('harbor-ui-copy-stop')}
          </Button>
        )}
        <Button onClick={onClose}>{t('ui-close')}</Button>
      </div>
    </>
  )
}
