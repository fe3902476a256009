import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { t } from '../../../api/language.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts } from '../../../ui/detail.tsx'
import { Time } from '../../../ui/time.tsx'

const each = (texts: readonly string[]) =>
  texts.map((text) => (
    <div key={text}>
      <Copyable text={text} />
    </div>
  ))

/** The data of a service without pods. */
export function OutwardFacts({ service }: { service: ServiceDetail }) {
  const { outward } = service.spec
  return (
    <Facts
      facts={[
        { label: t('outward-ui-type'), value: t(`outward-ui-type-${service.type}`) },
        ...(outward?.type === 'external'
          ? [
              {
                label: t('outward-ui-where'),
                value: each(outward.dns === undefined ? outward.addresses : [outward.dns]),
              },
              { label: t('stacks-ui-addresses'), value: each(service.addresses.map(({ url }) => url)) },
            ]
          : []),
        { label: t('stacks-ui-revision'), value: <span className="g-num">{service.revision}</span> },
        { label: t('ui-changed'), value: <Time at={service.updatedAt} /> },
      ]}
    />
  )
}
