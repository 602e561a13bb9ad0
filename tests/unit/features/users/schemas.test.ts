import { describe, expect, it } from 'vitest'
import {
  EmailChange,
  LoginRequest,
  PasswordChange,
  PasswordResetConfirm,
  PasswordResetRequest,
  RegisterRequest,
} from '../../../../src/contracts/http/auth.ts'
import {
  ChangeEmailForm,
  ChangePasswordForm,
  CodeForm,
  EmailForm,
  LoginForm,
  NewPasswordForm,
  RecoveryForm,
  RegisterForm,
} from '../../../../src/features/users/schemas.ts'

const good = {
  username: 'orsi_panni',
  email: 'panni@pelda.hu',
  password: 'kávéház-fűrész-19',
  passwordConfirm: 'kávéház-fűrész-19',
  acceptTerms: true,
}

const registrations: readonly Record<string, unknown>[] = [
  good,
  { ...good, username: ' Orsi_Panni ' },
  { ...good, username: 'ab' },
  { ...good, username: 'a'.repeat(33) },
  { ...good, username: 'a.b.c' },
  { ...good, username: 'őrsi' },
  { ...good, username: '' },
  { ...good, email: 'panni' },
  { ...good, email: ' panni@pelda.hu ' },
  { ...good, email: `${'a'.repeat(250)}@b.hu` },
  { ...good, email: '' },
  { ...good, password: 'short12', passwordConfirm: 'short12' },
  { ...good, password: 'x'.repeat(129), passwordConfirm: 'x'.repeat(129) },
  { ...good, password: '        ', passwordConfirm: '        ' },
  { ...good, passwordConfirm: 'other-password' },
  { ...good, acceptTerms: false },
]

describe('RegisterForm', () => {
  it.each(registrations)('decides on %j as the contract does', (values) => {
    expect(RegisterForm.safeParse(values).success).toBe(RegisterRequest.safeParse(values).success)
  })

  it('sends what the contract reads', () => {
    const sent = RegisterForm.parse({ ...good, username: ' Orsi_Panni ', email: ' panni@pelda.hu ' })
    expect(sent).toEqual(RegisterRequest.parse(sent))
  })

  it.each([
    [{ username: 'a.b' }, 'username', 'username'],
    [{ username: '' }, 'username', 'required'],
    [{ email: 'x' }, 'email', 'email'],
    [{ password: 'short' }, 'password', 'passwordShort'],
    [{ passwordConfirm: 'something else' }, 'passwordConfirm', 'mismatch'],
    [{ acceptTerms: false }, 'acceptTerms', 'terms'],
  ])('%j is refused at %s with %s', (change, field, key) => {
    const issues = RegisterForm.safeParse({ ...good, ...change }).error?.issues ?? []
    expect(issues.find((issue) => issue.path[0] === field)?.message).toBe(key)
  })

  it('names the different passwords beside other faults', () => {
    for (const email of ['x', '']) {
      const issues = RegisterForm.safeParse({ ...good, email, passwordConfirm: 'y' }).error?.issues ?? []
      expect(issues.map((issue) => issue.message)).toContain('mismatch')
      expect(issues.find((issue) => issue.path[0] === 'email')?.message).toBe(email === '' ? 'required' : 'email')
    }
  })
})

describe('LoginForm and CodeForm', () => {
  it.each([
    { username: 'panni', password: 'x' },
    { username: 'panni@pelda.hu', password: ' spaces stay ' },
    { username: '', password: 'x' },
    { username: '  ', password: 'x' },
    { username: 'panni', password: '' },
    { username: 'panni', password: 'x'.repeat(129) },
  ])('decides on %j as the contract does', (values) => {
    expect(LoginForm.safeParse(values).success).toBe(LoginRequest.safeParse(values).success)
  })

  it('takes six digits and nothing else for a code', () => {
    expect(CodeForm.safeParse({ code: ' 012345 ' }).success).toBe(true)
    for (const code of ['', '12345', '1234567', '12345a']) expect(CodeForm.safeParse({ code }).success).toBe(false)
  })
})

describe('the forms about password and e-mail address', () => {
  const passwords = [
    { password: 'kávéház-fűrész', passwordConfirm: 'kávéház-fűrész' },
    { password: 'short12', passwordConfirm: 'short12' },
    { password: 'x'.repeat(129), passwordConfirm: 'x'.repeat(129) },
    { password: 'long enough', passwordConfirm: 'something else' },
  ]
  it.each(passwords)('decide on %j as the contract does', (values) => {
    const link = { ...values, token: 'A'.repeat(43) }
    expect(NewPasswordForm.safeParse(values).success).toBe(PasswordResetConfirm.safeParse(link).success)
    const change = { ...values, currentPassword: 'the present one' }
    expect(ChangePasswordForm.safeParse(change).success).toBe(PasswordChange.safeParse(change).success)
  })

  it.each(['panni@pelda.hu', ' panni@pelda.hu ', 'panni', '', `${'a'.repeat(250)}@b.hu`])(
    'decide on the address %j as the contract does',
    (email) => {
      expect(EmailForm.safeParse({ email }).success).toBe(PasswordResetRequest.safeParse({ email }).success)
      const change = { email, password: 'the present one' }
      expect(ChangeEmailForm.safeParse(change).success).toBe(EmailChange.safeParse(change).success)
    },
  )
})

describe('RecoveryForm', () => {
  it.each(['abcd-efgh-jkmn-pqrs', 'ABCD EFGH JKMN PQRS', ' abcdefghjkmnpqrs '])('takes %j', (code) => {
    expect(RecoveryForm.safeParse({ code }).success).toBe(true)
  })

  it.each(['', 'abcd-efgh-jkmn-pqr', 'abcd-efgh-jkmn-pqrs-t', '123456', 'abcd_efgh_jkmn_pqrs'])(
    'refuses %j',
    (code) => {
      expect(RecoveryForm.safeParse({ code }).error?.issues[0]?.message).toBe('recovery')
    },
  )
})
