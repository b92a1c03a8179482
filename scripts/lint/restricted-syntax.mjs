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

const isLiteral = (node) => node.type === 'ObjectExpression' || node.type === 'ArrayExpression'

/** A spread of a literal says nothing that plain members do not: `{ ...{ a, b }, c }`, `[...[a], b]`. */
const noSpreadOfLiteral = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => {
    const report = (node) =>
      context.report({ node, message: 'Write the members: a literal needs no spread.' })
    return {
      SpreadElement: (node) => isLiteral(node.argument) && report(node),
      JSXSpreadAttribute: (node) => isLiteral(node.argument) && report(node),
      "CallExpression[callee.object.name='Object'][callee.property.name='assign']": (node) =>
        node.arguments[0]?.type === 'ObjectExpression' && report(node),
    }
  },
}

/** One declaration a name: `const [a, b] = [x, y]`, `let a = x, b = y`, and parameters packed into a rest. */
const noPackedDeclaration = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => {
    const report = (node) =>
      context.report({
        node,
        message: 'Declare each name by itself, or give the values an object.',
      })
    return {
      VariableDeclarator: ({ id, init }) => {
        const value = init?.type === 'TSAsExpression' ? init.expression : init
        const isPacked = id.type === 'ArrayPattern' && value?.type === 'ArrayExpression'
        // A list that is spread is taken apart, not packed.
        if (isPacked && !value.elements.some((one) => one?.type === 'SpreadElement')) report(id)
      },
      VariableDeclaration: (node) => {
        const inLoop = node.parent.type === 'ForStatement'
        if (node.declarations.length > 1 && !inLoop) report(node)
      },
      FunctionDeclaration: ({ params }) => {
        const rest = params.at(-1)
        if (rest?.type === 'RestElement' && rest.argument.type === 'ArrayPattern') report(rest)
      },
    }
  },
}

export default {
  meta: { name: 'repository' },
  rules: {
    'no-restricted-syntax': restrictedSyntax,
    'no-spread-of-literal': noSpreadOfLiteral,
    'no-packed-declaration': noPackedDeclaration,
  },
}
