import { Form as Antd, Input, Select } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import type { OpenStack, OpenStackChoices } from '@gantry/contract/openstack/openstack'
import { t } from '../../api/language.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { ChoiceCards } from '../../ui/form/choice-cards.tsx'
import { Field } from '../../ui/form/form.tsx'
import { Section } from '../../ui/page.tsx'
import { ReservedRows } from './reserved-rows.tsx'
import type { ChoicesRead } from './use-choices.ts'

interface ZoneFieldsProps {
  openstacks: readonly OpenStack[]
  choices: ChoicesRead
  nested: boolean
  /** Why the name cannot be used. */
  nameProblem: string | undefined
}

const subnetOptions = (choices: OpenStackChoices | undefined) =>
  (choices?.subnets ?? []).map(({ id, name, cidr }) => ({ value: id, label: `${name} (${cidr})` }))

const toOptions = (items: readonly { id: string; name: string }[] | undefined) =>
  (items ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** Choices from OpenStack are available once the connection is chosen. */
const selectOf = ({ own, waiting }: ChoicesRead) => ({
  className: 'g-select',
  showSearch: { optionFilterProp: 'label' },
  loading: waiting,
  disabled: own === undefined,
  placeholder: t(own === undefined && !waiting ? 'zones-ui-openstack-first' : 'ui-choose-one'),
})

/** Another project clears these choices. */
const ofProject = [
  ['neutronDefaults', 'podSecurityGroups'],
  ['neutronDefaults', 'podSubnet'],
  ['neutronDefaults', 'serviceSubnet'],
  ['podVifNested', 'workerNodesSubnet'],
]

/** All fields of a zone, in a Form for one of the two types. */
export function ZoneFields({ openstacks, choices, nested, nameProblem }: ZoneFieldsProps) {
  const form = Antd.useFormInstance()
  const forget = (...more: string[][]) => {
    for (const name of [...ofProject, ...more]) form.setFieldValue(name, undefined)
  }
  const { own } = choices
  const propose = useEffectEvent((project: string) => {
    const name = ['neutronDefaults', 'project']
    if (form.getFieldValue(name) === undefined) form.setFieldValue(name, project)
  })
  useEffect(() => {
    if (own !== undefined) propose(own)
  }, [own])
  return (
    <>
      <Field
        name="name"
        label={t('zones-ui-name')}
        help={
          nameProblem === undefined ? (
            t('zones-ui-name-help')
          ) : (
            <span className="g-bad" role="alert">
              {nameProblem}
            </span>
          )
        }
      >
        <Input autoFocus maxLength={30} spellCheck={false} autoComplete="off" />
      </Field>
      <Field name="type" filled label={t('zones-ui-type')}>
        <ChoiceCards
          label={t('zones-ui-type')}
          choices={(['normal', 'nested'] as const).map((value) => ({
            value,
            title: t(`zones-ui-type-${value}`),
            memo: t(`zones-ui-type-${value}-help`),
          }))}
        />
      </Field>
      <Field name="openStackUuid" label={t('zones-ui-openstack')}>
        <Select
          className="g-select"
          placeholder={t('ui-choose-one')}
          notFoundContent={t('zones-ui-none-openstack')}
          options={openstacks
            .filter(({ state }) => state === 'ready')
            .map(({ uuid, name, keystone }) => ({ value: uuid, label: `${name} · ${keystone.projectName}` }))}
          onChange={() => forget(['neutronDefaults', 'project'])}
        />
      </Field>
      {choices.error && <Failed error={choices.error} retry={choices.again} />}
      <NetworkFields choices={choices} onProject={() => forget()} />
      {nested && <NestingFields choices={choices} />}
    </>
  )
}

interface PartProps {
  choices: ChoicesRead
}

const NetworkFields = ({ choices, onProject }: PartProps & { onProject: () => void }) => (
  <Section title={t('zones-ui-neutron')} about={t('zones-ui-neutron-about')}>
    <div>
      {choices.of?.truncated && <p className="g-note g-note-warn">{t('zones-ui-truncated')}</p>}
      <Field name={['neutronDefaults', 'project']} label={t('zones-ui-project')}>
        <Select {...selectOf(choices)} options={toOptions(choices.projects)} onChange={onProject} />
      </Field>
      <Field name={['neutronDefaults', 'podSecurityGroups']} label={t('zones-ui-security-groups')}>
        <Select {...selectOf(choices)} mode="multiple" options={toOptions(choices.of?.securityGroups)} />
      </Field>
      <div className="g-columns">
        <Field name={['neutronDefaults', 'podSubnet']} label={t('zones-ui-pod-subnet')}>
          <Select {...selectOf(choices)} options={subnetOptions(choices.of)} />
        </Field>
        <Field name={['neutronDefaults', 'serviceSubnet']} label={t('zones-ui-service-subnet')}>
          <Select {...selectOf(choices)} options={subnetOptions(choices.of)} />
        </Field>
      </div>
      <ReservedRows subnets={choices.of?.subnets ?? []} />
    </div>
  </Section>
)

const NestingFields = ({ choices }: PartProps) => (
  <Section title={t('zones-ui-nesting')}>
    <div>
      <Field name={['podVifNested', 'workerNodesSubnet']} label={t('zones-ui-worker-subnet')}>
        <Select {...selectOf(choices)} options={subnetOptions(choices.of)} />
      </Field>
      <Field filled name={['k8s', 'podVifDriver']} label={t('zones-ui-pod-vif-driver')}>
        <Input className="g-mono" spellCheck={false} />
      </Field>
      <Field filled name={['binding', 'driver']} label={t('zones-ui-driver')}>
        <Input className="g-mono" spellCheck={false} />
      </Field>
      <Field filled name={['binding', 'linkIface']} label={t('zones-ui-link-iface')}>
        <Input className="g-mono" spellCheck={false} maxLength={15} />
      </Field>
    </div>
  </Section>
)
