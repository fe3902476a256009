import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { Select } from 'antd'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { changeStage, type DraftStage } from '../definition/draft.ts'
import { NumberField, StepField, SwitchField } from '../steps/step-field.tsx'
import { patched } from '../steps/step-parts.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { useEditing } from './editing.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { TextsField } from './texts-field.tsx'

type StageValue = DraftStage['stage']
const modes = ['auto', 'manual', 'approve'] as const

interface StageSettingsProps {
  id: string
  one: DraftStage
  at: number
}

/** The mode and the conditions of a stage, and the files that its steps pass on. */
export function StageSettings({ id, one, at }: StageSettingsProps) {
  const { draft, change, parameters } = useEditing()
  const { stage } = one
  const set = (patch: { [K in keyof StageValue]?: StageValue[K] | undefined }) =>
    change(changeStage(draft, at, patched(stage, patch)), one.key)
  const mode = stage.mode ?? 'auto'
  return (
    <SettingsPanel path={`stages.${at}`} id={id}>
      <StepField name="mode" label={t('pipelines-ui-mode')} help={t(`pipelines-ui-mode-${mode}-help`)}>
        {(control) => (
          <Select
            {...control}
            value={mode}
            options={modes.map((value) => ({ value, label: t(`pipelines-ui-mode-${value}-name`) }))}
            onChange={(next: (typeof modes)[number]) =>
              set({ mode: next === 'auto' ? undefined : next, approval: next === 'auto' ? undefined : stage.approval })
            }
          />
        )}
      </StepField>
      {mode !== 'auto' && (
        <ApprovalFields approval={stage.approval ?? {}} asks={mode} onChange={(approval) => set({ approval })} />
      )}
      {one.jobs.length === 0 && (
        <>
          <HandsOnField
            files={stage.handsOn ?? []}
            onChange={(handsOn) => set({ handsOn: handsOn.length > 0 ? handsOn : undefined })}
          />
          <KeepsWorkspaceField
            keeps={stage.keepsWorkspace ?? false}
            onChange={(keeps) => set({ keepsWorkspace: keeps || undefined })}
          />
        </>
      )}
      <ConditionFields
        when={stage.when}
        onChange={(when) => set({ when })}
        parameters={parameters.map(({ name }) => name)}
      />
    </SettingsPanel>
  )
}

export function HandsOnField({ files, onChange }: { files: readonly string[]; onChange: (files: string[]) => void }) {
  return (
    <TextsField
      name="handsOn"
      label={t('pipelines-ui-hands-on')}
      help={t('pipelines-ui-hands-on-help')}
      optional
      texts={files}
      onChange={onChange}
    />
  )
}

export function KeepsWorkspaceField({ keeps, onChange }: { keeps: boolean; onChange: (keeps: boolean) => void }) {
  return (
    <SwitchField
      name="keepsWorkspace"
      label={t('pipelines-ui-keeps-workspace')}
      help={t('pipelines-ui-keeps-workspace-help')}
      value={keeps}
      onChange={onChange}
    />
  )
}

type Approval = NonNullable<StageValue['approval']>

interface ApprovalProps {
  approval: Approval
  asks: 'manual' | 'approve'
  onChange: (approval: Approval | undefined) => void
}

/** Who may approve a stage, how many approvals it needs, the deadline, and the parameters to set. */
function ApprovalFields({ approval, asks, onChange }: ApprovalProps) {
  const { teamId, parameters, readOnly } = useEditing()
  const members = useRead(teams.members, { params: { id: teamId }, query: { pageSize: -1 } }, { enabled: !readOnly })
  const all = useRead(roles.list, { params: { teamId } }, { enabled: !readOnly })
  const set = (patch: { [K in keyof Approval]?: Approval[K] | undefined }) => {
    const next = patched(approval, patch)
    onChange(Object.keys(next).length === 0 ? undefined : next)
  }
  const some = (list: string[]) => (list.length > 0 ? list : undefined)
  return (
    <>
      <TextsField
        name="approval.users"
        label={t('pipelines-ui-approval-users')}
        help={t('pipelines-ui-approval-who-help')}
        optional
        texts={approval.users ?? []}
        options={(members.data?.items ?? []).map(({ userName }) => userName)}
        onChange={(users) => set({ users: some(users) })}
      />
      <TextsField
        name="approval.roles"
        label={t('pipelines-ui-approval-roles')}
        optional
        texts={approval.roles ?? []}
        options={(all.data ?? []).map(({ name }) => name)}
        onChange={(roles) => set({ roles: some(roles) })}
      />
      {asks === 'approve' && (
        <NumberField
          name="approval.count"
          label={t('pipelines-ui-approval-count')}
          min={1}
          max={10}
          precision={0}
          value={approval.count ?? 1}
          onChange={(count) => set({ count: count === 1 ? undefined : count })}
        />
      )}
      <NumberField
        name="approval.hours"
        label={t('pipelines-ui-approval-hours')}
        help={t('pipelines-ui-approval-hours-help')}
        optional
        min={1}
        max={720}
        precision={0}
        suffix={t('ui-unit-h')}
        value={approval.hours}
        onChange={(hours) => set({ hours })}
      />
      <TextsField
        name="approval.parameters"
        label={t('pipelines-ui-approval-parameters')}
        help={t('pipelines-ui-approval-parameters-help')}
        optional
        texts={approval.parameters ?? []}
        options={parameters.map(({ name }) => name)}
        onChange={(names) => set({ parameters: some(names) })}
      />
    </>
  )
}
