/** What the page uses of lit-html. */
export interface TemplateResult { readonly strings: TemplateStringsArray; readonly values: unknown[] }
export const nothing: unique symbol;
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function render(value: unknown, container: HTMLElement): unknown;
