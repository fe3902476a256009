import { hosts, type Host } from '@gantry/contract/clusters/hosts'
import { teams } from '@gantry/contract/teams/teams'
import { z } from 'zod'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { RemoteSelect, type RemoteSelectProps } from '../../../ui/form/remote-select.tsx'

const chosen = z.strictObject({ teamId: z.number().int().optional() })

const TeamSelect = (
  field: Pick<RemoteSelectProps<typeof teams.brief, number>, 'id' | 'value' | 'onChange' | 'valueLabel'>,
) => (
  <RemoteSelect
    {...field}
    clearable
    endpoint={teams.brief}
    pageSize={50}
    placeholder={t('hosts-ui-for-all')}
    option={({ id, name }) => ({ value: id, label: name })}
  />
)

/** For which team's stacks a host is. */
export function DedicateDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const { dedicated, envUuid, name } = host
  const write = useWrite(hosts.dedicated, {
    done: 'update-success',
    quiet: true,
  })
  return (
    <Dialog title={t('hosts-ui-dedicate-title', { name })} onClose={onClose}>
      <Form
        schema={chosen}
        initial={dedicated ? { teamId: dedicated.id } : {}}
        submit={t('ui-save')}
        onCancel={onClose}
        onSubmit={async ({ teamId }) => {
          await write.mutateAsync({
            named: name,
            params: { env: envUuid, host: name },
            body: { teamId: teamId ?? null },
          })
          onClose()
        }}
      >
        <Field filled name="teamId" label={t('hosts-ui-dedicate-team')} help={t('hosts-ui-dedicate-help')}>
          <TeamSelect valueLabel={dedicated?.name} />
        </Field>
        <p className="g-note">{t('hosts-ui-dedicate-waits')}</p>
      </Form>
    </Dialog>
  )
}
