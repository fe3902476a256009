import { Input, Select } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { session, type PermissionModule } from '@gantry/contract/auth/session'
import { tokens } from '@gantry/contract/tokens/tokens'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useHolds } from '../../api/session.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { scrollStop } from '../../ui/focus/scroll-stop.ts'
import { Loaded } from '../../ui/detail.tsx'
import { ChoiceCards } from '../../ui/form/choice-cards.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { MissingPermission } from '../../ui/may.tsx'
import { permissionName, PermissionTable } from '../teams/public.tsx'
import { chosenBy, type Preset } from './presets.ts'
import styles from './tokens.module.css'

/** A token with its secret, which is shown only once. */
export type MadeToken = z.output<typeof tokens.create.data>

interface CreateTokenProps {
  teamId: number
  onClose: () => void
  onDone: (made: MadeToken) => void
}

const schema = z.strictObject({
  alias: tokens.create.params.shape.alias,
  days: z.number(),
})
const days = [7, 30, 90, 180, 365]

/** A token's name, expiry, and permissions, which are limited to its creator's. */
export function CreateTokenDialog(props: CreateTokenProps) {
  const catalogue = useRead(session.catalogue, {}, { staleMs: 300_000 })
  return (
    <Dialog width={880} title={t('tokens-ui-create')} closes="asked" onClose={props.onClose}>
      <Loaded query={catalogue}>
        {(modules) => <TokenForm {...props} modules={modules.filter(({ type }) => type === 'team')} />}
      </Loaded>
    </Dialog>
  )
}

function TokenForm({ teamId, modules, onClose, onDone }: CreateTokenProps & { modules: readonly PermissionModule[] }) {
  const may = useHolds()
  const [preset, setPreset] = useState<Preset | 'own'>('trigger')
  const [chosen, setChosen] = useState(() => chosenBy('trigger', modules, may))
  const [valid, setValid] = useState(90)
  const create = useWrite(tokens.create, { done: 'create-success', quiet: true })
  return (
    <Form
      schema={schema}
      initial={{ days: 90 }}
      submit={t('tokens-ui-create')}
      needs={tokens.create}
      disabled={chosen.size === 0 && t('token-permissions-none')}
      onCancel={onClose}
      onChange={(values) => setValid(values.days ?? 90)}
      onSubmit={async ({ alias, days }) => {
        const made = await create.mutateAsync({
          named: alias,
          params: { teamId, alias },
          body: { permissions: [...chosen], days },
        })
        onClose()
        onDone(made)
      }}
    >
      <div className="g-columns">
        <Field name="alias" label={t('tokens-ui-alias')} help={t('tokens-ui-alias-help')}>
          <Input autoFocus maxLength={30} spellCheck={false} autoComplete="off" />
        </Field>
        <Field
          name="days"
          label={t('tokens-ui-days')}
          help={valid === 0 ? t('tokens-ui-days-warning') : undefined}
          filled
        >
          <Select
            className="g-select"
            options={[
              ...days.map((count) => ({ value: count, label: t('tokens-ui-days-some', { count }) })),
              { value: 0, label: t('tokens-ui-days-never') },
            ]}
          />
        </Field>
      </div>
      <fieldset className={styles.may}>
        <legend>{t('tokens-ui-may')}</legend>
        <ChoiceCards
          label={t('tokens-ui-may')}
          choices={(['trigger', 'read', 'all', 'own'] as const).map((value) => ({
            value,
            title: t(`tokens-ui-preset-${value}`),
          }))}
          value={preset}
          onChange={(next) => {
            setPreset(next)
            // a custom selection starts from the preset's
            if (next !== 'own') setChosen(chosenBy(next, modules, may))
          }}
        />
        {preset === 'own' ? (
          <PermissionTable
            modules={modules}
            chosen={chosen}
            onChange={setChosen}
            closed={(key) => (may(key) ? undefined : <MissingPermission needs={key} />)}
          />
        ) : (
          <ul className={styles.chosen} ref={scrollStop} aria-label={t('tokens-ui-may')}>
            {[...chosen].map((key) => (
              <li key={key} title={key}>
                {permissionName(key)}
              </li>
            ))}
          </ul>
        )}
      </fieldset>
    </Form>
  )
}
