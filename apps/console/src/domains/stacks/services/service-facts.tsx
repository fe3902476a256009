import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { workloadKinds } from '@gantry/contract/stacks/spec-run'
import { t } from '../../../api/language.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { GoTo, to } from '../../../ui/link.tsx'
import { Facts } from '../../../ui/detail.tsx'
import { Time } from '../../../ui/time.tsx'
import { shortDigest } from '../spec/image-parts.ts'
import { AskedBy } from './asked-by.tsx'
import { Ready } from './badges.tsx'
import { isAsWanted } from './service-states.ts'
import styles from './services.module.css'

/** A service at a glance. */
export function ServiceFacts({ service }: { service: ServiceDetail }) {
  const { spec } = service
  const present = service.revisions.find(({ revision }) => revision === service.revision)
  return (
    <Facts
      facts={[
        { label: t('stacks-ui-field-workload'), value: workloadKinds[service.workload] },
        { label: t('stacks-ui-ready'), value: <Ready service={service} /> },
        {
          label: t('stacks-ui-image'),
          value: (
            <span className={styles.stacked}>
              <Copyable text={service.image} />
              {service.digest !== '' && isAsWanted(service.state) && (
                <span className="g-faint">
                  <Copyable text={service.digest} short={'sha256:'.length + shortDigest(service.digest).length} />
                </span>
              )}
            </span>
          ),
        },
        {
          label: t('stacks-ui-addresses'),
          value:
            service.addresses.length > 0 ? (
              <span className={styles.stacked}>
                {service.addresses.map(({ name, url, external }) =>
                  external ? (
                    <a key={name} href={url} target="_blank" rel="noreferrer">
                      {url}
                    </a>
                  ) : (
                    <Copyable key={name} text={url} />
                  ),
                )}
              </span>
            ) : (
              t('stacks-ui-no-address')
            ),
        },
        {
          label: t('stacks-ui-each'),
          value: t('stacks-ui-each-figures', { cpu: spec.resources.cpu, memory: spec.resources.memory }),
        },
        ...(spec.configuration
          ? [
              {
                label: t('stacks-ui-field-configuration'),
                value: (
                  <GoTo to={to('config-manage', {}, { project: spec.configuration.project })}>
                    {`${spec.configuration.project}/${spec.configuration.profile}`}
                  </GoTo>
                ),
              },
            ]
          : []),
        { label: t('stacks-ui-revision'), value: <span className="g-num">{service.revision}</span> },
        {
          label: t('ui-changed'),
          value: (
            <span className={styles.stacked}>
              <Time at={service.updatedAt} />
              {present && (
                <span>
                  <AskedBy revision={present} />
                </span>
              )}
            </span>
          ),
        },
      ]}
    />
  )
}
