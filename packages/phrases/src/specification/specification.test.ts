import { describe, expect, test } from 'vitest'
import { en } from '../en.gen.ts'
import { zh } from '../zh.gen.ts'

/** The keys in the specification's sections 2, 4, 5 and 8. */
const spelt = [
  'input-userinfo user-Unknown-team user-team tips-tosaca-version stop-fail-build delete-tips-store check-success',
  'delete-success add-success update-success edit-success delete-user',
  'update-success-role add-success-role delete-success-role option-success save-success upgrade-success restart-success',
  'create-success clone-success delete-status login-success logout-success translate-success',
  'valid-old-pwd valid-new-pwd valid-pwd-count valid-pwd-strenght valid-write-new-pwd valid-pwd-diff',
  'valid-zone-name valid-zone-name-repeat delete-openstack-warn prompt-delete-openstack tenant-details',
]
  .join(' ')
  .split(' ')

/** Success toasts and errors that the specification names without a key. */
const named = [
  'sync-success assign-success manual-trigger-success stop-success cancel-success recovering',
  'login-again resource-not-found request-forbidden request-parameters-wrong server-failed network-timeout',
  'no-service-instance no-stack response-timeout request-illegal page-not-found try-again-later network-error',
  'name-exists name-taken role-name-repeat version-repeat service-exists domain-in-use template-in-use',
  'notification-in-use catalog-in-use image-project-not-empty volume-in-use agent-busy ingress-host-missing',
  'access-address-missing windows-no-ansible windows-no-code-quality windows-no-ingress tosca-format tosca-version-low',
  'yaml-wrong import-format import-duplicate-users ldap-check-failed user-disabled user-not-assigned retry-exceeded',
  'email-wrong license-expired license-expiring no-data no-permission-to-create no-permission-to-edit no-permission-to-trigger',
]
  .join(' ')
  .split(' ')

const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '').sort()

describe('the phrases', () => {
  test.each([...spelt, ...named])('%s exists in both languages', (key) => {
    expect(en).toHaveProperty([key])
    expect(zh).toHaveProperty([key])
  })

  test('both languages fill the same placeholders', () => {
    const texts: Record<string, string> = zh
    const differing = Object.entries(en).filter(
      ([key, text]) => placeholders(text).join() !== placeholders(texts[key] ?? '').join(),
    )
    expect(differing.map(([key]) => key)).toEqual([])
  })
})
