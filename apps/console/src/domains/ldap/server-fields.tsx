import { example } from '../../ui/form/example.ts'
import { Input, Switch } from 'antd'
import { t } from '../../api/language.ts'
import { Field } from '../../ui/form/form.tsx'
import { Section } from '../../ui/page.tsx'
import { MappingRows } from '../teams/public.tsx'

/** All fields of a directory. */
export function ServerFields({ plain }: { plain: boolean }) {
  return (
    <>
      <Section title={t('ldap-ui-connection')}>
        <div>
          <Field name="enabled" label={t('ldap-ui-enabled')} help={t('ldap-ui-enabled-help')} value="checked">
            <Switch />
          </Field>
          <Field name="name" label={t('ldap-ui-name')} help={t('ldap-ui-name-help')}>
            <Input maxLength={30} autoComplete="off" />
          </Field>
          <Field name="url" label={t('ldap-ui-url')} help={t('ldap-ui-url-help')}>
            <Input
              inputMode="url"
              spellCheck={false}
              autoComplete="off"
              placeholder={example('ldap://ldap.example.org:389')}
            />
          </Field>
          <Field name="startTls" label={t('ldap-ui-start-tls')} help={t('ldap-ui-start-tls-help')} value="checked">
            <Switch />
          </Field>
          {plain && <p className="g-note g-note-warn">{t('ldap-ui-plain')}</p>}
          <Field name="ca" label={t('ldap-ui-ca')} help={t('ldap-ui-ca-help')}>
            <Input.TextArea
              className="g-mono"
              rows={3}
              spellCheck={false}
              placeholder={'-----BEGIN CERTIFICATE-----\n…'}
            />
          </Field>
          <div className="g-columns">
            <Field name="bindDn" label={t('ldap-ui-bind-dn')} help={t('ldap-ui-bind-dn-help')}>
              <Input
                className="g-mono"
                spellCheck={false}
                autoComplete="off"
                placeholder={example('cn=reader,dc=example,dc=org')}
              />
            </Field>
            <Field name="bindPassword" label={t('ldap-ui-bind-password')} help={t('ldap-ui-bind-password-help')}>
              <Input.Password autoComplete="new-password" />
            </Field>
          </div>
        </div>
      </Section>
      <Section title={t('ldap-ui-users')} about={t('ldap-ui-users-about')}>
        <div>
          <Field name="baseDn" label={t('ldap-ui-base-dn')}>
            <Input
              className="g-mono"
              spellCheck={false}
              autoComplete="off"
              placeholder={example('ou=people,dc=example,dc=org')}
            />
          </Field>
          <Field filled name="userFilter" label={t('ldap-ui-filter')} help={t('ldap-ui-filter-help')}>
            <Input.TextArea className="g-mono" rows={2} spellCheck={false} />
          </Field>
          <div className="g-columns">
            <Field filled name="userNameAttribute" label={t('ldap-ui-attribute-name')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field filled name="nicknameAttribute" label={t('ldap-ui-attribute-nickname')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field filled name="emailAttribute" label={t('ldap-ui-attribute-email')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
          </div>
          <Field name="createAtLogin" label={t('ldap-ui-create')} help={t('ldap-ui-create-help')} value="checked">
            <Switch />
          </Field>
        </div>
      </Section>
      <Section title={t('ldap-ui-groups')} about={t('ldap-ui-groups-about')}>
        <div>
          <div className="g-columns">
            <Field name="groupBaseDn" label={t('ldap-ui-group-base')} help={t('ldap-ui-group-base-help')}>
              <Input
                className="g-mono"
                spellCheck={false}
                autoComplete="off"
                placeholder={example('ou=groups,dc=example,dc=org')}
              />
            </Field>
            <Field
              filled
              name="groupMemberAttribute"
              label={t('ldap-ui-group-member')}
              help={t('ldap-ui-group-member-help')}
            >
              <Input className="g-mono" spellCheck={false} />
            </Field>
          </div>
          <MappingRows group={t('ldap-ui-group')} placeholder={example('cn=developers,ou=groups,dc=example,dc=org')} />
        </div>
      </Section>
    </>
  )
}
