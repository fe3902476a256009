import { Form as Antd } from 'antd'
import { useState } from 'react'
import { groups, type Group } from '@gantry/contract/pipelines/groups'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { GroupDialog } from './group-dialog.tsx'
import styles from './groups.module.css'

interface GroupSelectProps {
  id?: string
  value?: number
  onChange?: (value: number | undefined) => void
}

/** Picks a group of the team, or creates one. The field `appId` of a Form. */
export function GroupSelect({ id, value, onChange }: GroupSelectProps) {
  const teamId = useTeamId()
  const form = Antd.useFormInstance()
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<Group>()
  const known = useRead(
    groups.get,
    { params: { teamId, pipelineGroupId: value ?? 0 } },
    { enabled: value !== undefined && made?.id !== value },
  )
  const name = made?.id === value ? made?.name : known.data?.id === value ? known.data?.name : undefined
  return (
    <div className={styles.withButton}>
      <RemoteSelect
        {...(id === undefined ? {} : { id })}
        endpoint={groups.list}
        input={{ params: { teamId } }}
        pageSize={10}
        option={(group) => ({ value: group.id, label: group.name })}
        {...(value === undefined ? {} : { value })}
        {...(name === undefined ? {} : { valueLabel: name })}
        {...(onChange ? { onChange } : {})}
      />
      <Button icon="add" needs={groups.create} onClick={() => setCreating(true)}>
        {t('pipelines-ui-group-new')}
      </Button>
      {creating && (
        <GroupDialog
          onClose={() => setCreating(false)}
          onDone={(group) => {
            setMade(group)
            // Set from outside, which also clears the error of the empty field.
            form.setFieldValue('appId', group.id)
          }}
        />
      )}
    </div>
  )
}
