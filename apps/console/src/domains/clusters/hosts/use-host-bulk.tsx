import { hosts, ownHostKey, type Host } from '@gantry/contract/clusters/hosts'
import { Form, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import type { BulkAction, EachAction } from '../../../ui/table/bulk.tsx'
import { count } from '../../../ui/format.ts'
import { pathOf, whyShared } from './host-marks.tsx'

const { key: keyOf, value: valueOf } = hosts.setLabel.body.shape

interface Label {
  key: string
  value: string
}

/** The problems of an entered label; undefined: none, or nothing entered yet. */
function problemsOf({ key, value }: Label): { key?: string; value?: string } {
  return {
    ...(key !== '' && !keyOf.safeParse(key).success && { key: t('label-key') }),
    ...(ownHostKey(key) && { key: t('hosts-own-key', { key }) }),
    ...(!valueOf.safeParse(value).success && { value: t('label-value') }),
  }
}

function LabelFields({ label, onChange }: { label: Label; onChange: (label: Label) => void }) {
  const problems = problemsOf(label)
  return (
    <Form layout="vertical" component="div">
      {(['key', 'value'] as const).map((part) => (
        <Form.Item
          key={part}
          label={t(`hosts-ui-${part}`)}
          htmlFor={`host-label-${part}`}
          help={problems[part]}
          validateStatus={problems[part] === undefined ? '' : 'error'}
        >
          <Input
            id={`host-label-${part}`}
            autoComplete="off"
            spellCheck={false}
            value={label[part]}
            onChange={({ target }) => onChange({ ...label, [part]: target.value })}
          />
        </Form.Item>
      ))}
    </Form>
  )
}

const stays = (host: Host): string | false =>
  whyShared(host) || (host.controller && t('hosts-controller', { host: host.name }))

/** The effect of draining these hosts. If the pods of one are not counted, no number is given. */
function drains(rows: readonly Host[]): string {
  const pods = rows.map(({ podNum }) => podNum).filter((podNum) => podNum !== null)
  if (pods.length < rows.length) return t('hosts-ui-drain-many-uncounted')
  return t('hosts-ui-drain-many', { count: count(pods.reduce((sum, podNum) => sum + podNum, 0)) })
}

/** Bulk actions on hosts; a host to which one does not apply is named with the reason. */
export function useHostBulk(): BulkAction<Host>[] {
  const [label, setLabel] = useState<Label>({ key: '', value: '' })
  const problems = problemsOf(label)
  const cordon =
    (enable: boolean): EachAction<Host>['run'] =>
    (host) =>
      call(hosts.cordon, { params: pathOf(host), body: { enable } })
  const maintenance =
    (enable: boolean): EachAction<Host>['run'] =>
    (host) =>
      call(hosts.maintenance, { params: pathOf(host), body: { enable } })
  return [
    {
      key: 'cordon',
      needs: hosts.cordon,
      label: t('hosts-ui-cordon'),
      except: (host) =>
        stays(host) || ((!host.schedulable || host.state === 'maintenance') && t('hosts-ui-cordoned-already')),
      run: cordon(true),
    },
    {
      key: 'uncordon',
      needs: hosts.cordon,
      label: t('hosts-ui-uncordon'),
      except: (host) => whyShared(host) || (host.schedulable && t('hosts-ui-open-already')),
      run: cordon(false),
    },
    {
      key: 'maintain',
      needs: hosts.maintenance,
      label: t('hosts-ui-maintenance'),
      danger: true,
      ask: drains,
      except: (host) => stays(host) || (host.state === 'maintenance' && t('hosts-ui-maintained-already')),
      run: maintenance(true),
    },
    {
      key: 'end',
      needs: hosts.maintenance,
      label: t('hosts-ui-maintenance-end'),
      except: (host) => whyShared(host) || (host.state !== 'maintenance' && t('hosts-ui-not-maintained')),
      run: maintenance(false),
    },
    {
      key: 'label',
      label: t('hosts-ui-label-set'),
      needs: hosts.setLabel,
      except: whyShared,
      ask: <LabelFields label={label} onChange={setLabel} />,
      blocked: label.key === '' ? t('hosts-ui-label-empty') : (problems.key ?? problems.value ?? false),
      run: ({ envUuid, name }) => call(hosts.setLabel, { params: { env: envUuid }, body: { host: name, ...label } }),
    },
  ]
}
