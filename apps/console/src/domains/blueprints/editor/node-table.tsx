import { Select } from 'antd'
import { blueprints, type BlueprintRow } from '@gantry/contract/blueprints/blueprints'
import { addDependency, removeDependency, removeNode } from '@gantry/tosca/edit'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { to, useGo } from '../../../ui/link.tsx'
import { ActionMenu, deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { paramsOf } from '../places.ts'
import type { DrawnNode } from './drawing.ts'
import styles from './editor.module.css'

interface NodeTableProps {
  drawing: readonly DrawnNode[]
  text: string
  blueprint: BlueprintRow
  onChange: (text: string) => void
}

/** The same as the drawing, for keyboards and narrow screens. */
export function NodeTable({ drawing, text, blueprint, onChange }: NodeTableProps) {
  const go = useGo()
  const may = useMay(blueprints.update)
  const needs = blueprints.update
  const services = drawing.filter(({ kind }) => kind === 'service')
  const require = (name: string, now: readonly string[], wanted: readonly string[]) => {
    const less = now.filter((one) => !wanted.includes(one)).reduce((so, one) => removeDependency(so, name, one), text)
    onChange(wanted.filter((one) => !now.includes(one)).reduce((so, one) => addDependency(so, name, one), less))
  }
  return (
    <section aria-label={t('blueprints-ui-nodes')}>
      <div className="g-row g-row-end">
        <ActionMenu
          label={t('blueprints-ui-outward-add')}
          actions={(['ingress', 'lb', 'external'] as const).map((kind) => ({
            key: kind,
            label: t(`outward-ui-new-${kind}`),
            icon: kind === 'external' ? ('globe' as const) : ('ingress' as const),
            needs,
            onClick: () => go(to('service-outward-add', { ...paramsOf(blueprint), kind })),
          }))}
        />
        <Button small icon="add" needs={needs} onClick={() => go(to('service-business-add', paramsOf(blueprint)))}>
          {t('blueprints-ui-node-add')}
        </Button>
      </div>
      {drawing.length > 0 && (
        <div className={styles.nodes}>
          <table aria-label={t('blueprints-ui-nodes')}>
            <thead>
              <tr>
                <th scope="col">{t('blueprints-ui-node')}</th>
                <th scope="col">{t('blueprints-ui-requires')}</th>
                <th scope="col">
                  <span className="g-hidden">{t('ui-actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {drawing.map(({ name, kind, requires }) => (
                <tr key={name}>
                  <td>
                    <b>{name}</b> <small className="g-faint">{t(`blueprints-ui-kind-${kind}`)}</small>
                  </td>
                  <td>
                    {kind === 'service' && (
                      <Select
                        mode="multiple"
                        showSearch={{ optionFilterProp: 'label' }}
                        className={styles.requires ?? ''}
                        aria-label={t('blueprints-ui-requires-of', { name })}
                        disabled={!may}
                        value={requires}
                        options={services
                          .filter((one) => one.name !== name)
                          .map((one) => ({ value: one.name, label: one.name }))}
                        onChange={(wanted) => require(name, requires, wanted)}
                      />
                    )}
                  </td>
                  <td>
                    <ActionMenu
                      label={t('ui-actions-of', { name })}
                      actions={[
                        ...(kind === 'service'
                          ? [
                              editAction({
                                needs,
                                onClick: () => go(to('service-business-edit', { ...paramsOf(blueprint), sname: name })),
                              }),
                              {
                                key: 'clone',
                                label: t('blueprints-ui-clone'),
                                icon: 'copy' as const,
                                needs,
                                onClick: () =>
                                  go(to('service-business-clone', { ...paramsOf(blueprint), sname: name })),
                              },
                            ]
                          : kind === 'volume' || kind === 'config'
                            ? []
                            : [
                                editAction({
                                  needs,
                                  onClick: () =>
                                    go(to('service-outward-edit', { ...paramsOf(blueprint), kind, sname: name })),
                                }),
                              ]),
                        deleteAction({ needs, onClick: () => onChange(removeNode(text, name)) }),
                      ]}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
