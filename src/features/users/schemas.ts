import * as z from 'zod/mini'

// The forms' own copies of the wire's rules, in the small build of the schema library; a test compares them with the
// contract. A message is the key of its sentence under `auth.invalid`.
export const invalidKeys = [
  'required',
  'username',
  'reserved',
  'email',
  'passwordShort',
  'passwordLong',
  'mismatch',
  'terms',
  'code',
  'recovery',
] as const
export type InvalidKey = (typeof invalidKeys)[number]
const key = (name: InvalidKey) => name

const filled = z.string().check(z.minLength(1, key('required')))

export const LoginForm = z.object({
  username: z.string().check(z.trim(), z.minLength(1, key('required')), z.maxLength(254, key('username'))),
  password: z.string().check(z.minLength(1, key('required')), z.maxLength(128, key('passwordLong'))),
})
export type LoginForm = z.infer<typeof LoginForm>

export const CodeForm = z.object({ code: z.string().check(z.trim(), z.regex(/^[0-9]{6}$/, key('code'))) })
export type CodeForm = z.infer<typeof CodeForm>

/** 16 letters in groups of four, in any typed form. */
export const RecoveryForm = z.object({
  code: z.string().check(z.trim(), z.regex(/^([a-z0-9][\s-]*){16}$/i, key('recovery'))),
})

export const EmailForm = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, key('required')), z.maxLength(254, key('email')), z.email(key('email'))),
})
export type EmailForm = z.infer<typeof EmailForm>

export const NewPasswordForm = z
  .object({
    password: filled.check(z.minLength(8, key('passwordShort')), z.maxLength(128, key('passwordLong'))),
    passwordConfirm: filled,
  })
  .check(
    z.refine((form) => form.password === form.passwordConfirm, {
      error: key('mismatch'),
      path: ['passwordConfirm'],
      when: () => true,
    }),
  )
export type NewPasswordForm = z.infer<typeof NewPasswordForm>

export const ChangePasswordForm = z
  .object({
    currentPassword: filled.check(z.maxLength(128, key('passwordLong'))),
    code: z.optional(z.string().check(z.trim(), z.maxLength(40))),
    password: filled.check(z.minLength(8, key('passwordShort')), z.maxLength(128, key('passwordLong'))),
    passwordConfirm: filled,
  })
  .check(
    z.refine((form) => form.password === form.passwordConfirm, {
      error: key('mismatch'),
      path: ['passwordConfirm'],
      when: () => true,
    }),
  )
export type ChangePasswordForm = z.infer<typeof ChangePasswordForm>

export const ChangeEmailForm = z.object({
  email: EmailForm.shape.email,
  password: filled.check(z.maxLength(128, key('passwordLong'))),
  code: z.optional(z.string().check(z.trim(), z.maxLength(40))),
})
export type ChangeEmailForm = z.infer<typeof ChangeEmailForm>

export const RegisterForm = z
  .object({
    username: z
      .string()
      .check(
        z.trim(),
        z.toLowerCase(),
        z.minLength(1, key('required')),
        z.regex(/^[a-z0-9_-]{3,32}$/, key('username')),
      ),
    email: z
      .string()
      .check(z.trim(), z.minLength(1, key('required')), z.maxLength(254, key('email')), z.email(key('email'))),
    password: filled.check(z.minLength(8, key('passwordShort')), z.maxLength(128, key('passwordLong'))),
    passwordConfirm: filled,
    acceptTerms: z.boolean().check(z.refine((accepted) => accepted, key('terms'))),
  })
  .check(
    z.refine((form) => form.password === form.passwordConfirm, {
      error: key('mismatch'),
      path: ['passwordConfirm'],
      when: () => true,
    }),
  )
export type RegisterForm = z.infer<typeof RegisterForm>
