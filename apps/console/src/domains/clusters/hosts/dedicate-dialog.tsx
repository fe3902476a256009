import { hosts, type Host } from '@gantry/contract/clusters/hosts'
import { z } from 'zod'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { TeamSelect } from '../../teams/public.tsx'

const schema = z.strictObject({ teamId: z.number().int().optional() })

/** Dedicates a host to a team's stacks. */
export function DedicateDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const { dedicated, envUuid, name } = host
  const write = useWrite(hosts.dedicated, {
    done: 'update-success',
    quiet: true,
  })
  return (
    <FormDialog
      title={t('hosts-ui-dedicate-title', { name })}
      onClose={onClose}
      schema={schema}
      initial={dedicated ? { teamId: dedicated.id } : {}}
      submit={t('ui-save')}
      onSubmit={({ teamId }) =>
        write.mutateAsync({
          named: name,
          params: { env: envUuid, host: name },
          body: { teamId: teamId ?? null },
        })
      }
    >
      <Field filled name="teamId" label={t('hosts-ui-dedicate-team')} help={t('hosts-ui-dedicate-help')}>
        <TeamSelect none={t('hosts-ui-for-all')} valueLabel={dedicated?.name} />
      </Field>
      <p className="g-note">{t('hosts-ui-dedicate-waits')}</p>
    </FormDialog>
  )
}
