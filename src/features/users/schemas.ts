import * as z from 'zod/mini'

// The forms' own copies of the wire's rules, in the small build of the schema library; a test holds them to the contract's
// answers. A message is the key of its sentence under `auth.invalid`.
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
