/**
 * The rule `no-restricted-syntax` of ESLint, which oxlint does not have: each option is a selector of syntax that is
 * not to be written, with the message that says what to write instead.
 */
const restrictedSyntax = {
  meta: { type: 'suggestion', schema: { type: 'array' } },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [
        selector,
        (node) => context.report({ node, message }),
      ]),
    ),
}

export default {
  meta: { name: 'repository' },
  rules: { 'no-restricted-syntax': restrictedSyntax },
}
