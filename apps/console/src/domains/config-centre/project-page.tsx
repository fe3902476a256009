import { t } from '../../api/language.ts'
import { to } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { ProfileList } from './profile-list.tsx'
import { TemplateList } from './template-list.tsx'

/** One project: its profiles, and the templates that are filled from them. */
export const ProjectPage = ({ name }: { name: string }) => (
  <Page
    title={name}
    crumbs={[{ label: t('route-config-manage'), to: to('config-manage') }]}
    tabs={[
      { key: 'profiles', label: t('config-ui-profiles'), content: () => <ProfileList project={name} /> },
      { key: 'templates', label: t('config-ui-templates'), content: () => <TemplateList project={name} /> },
    ]}
  >
    {null}
  </Page>
)
