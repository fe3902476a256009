import type { ReactNode } from 'react'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { t } from '../../../api/language.ts'
import styles from './onboarding.module.css'

/** The stages of a proposed pipeline, with their steps on one line. */
export const ProposalSteps = ({ stages, children }: { stages: readonly StageInput[]; children: ReactNode }) => (
  <section className={styles.steps} aria-label={t('pipelines-onboard-steps')}>
    <header>
      <strong>{t('pipelines-onboard-steps')}</strong>
      {children}
    </header>
    <ol>
      {stages.map(({ name, steps = [], jobs = [] }) => (
        <li key={name}>
          <strong>{name}</strong>{' '}
          <span className="g-quiet">
            {[...steps, ...jobs.flatMap((job) => job.steps)].map((step) => step.name).join(' → ')}
          </span>
        </li>
      ))}
    </ol>
  </section>
)
