/** Sets what only a script knows, such as the place of a field, on an element: used as its `ref`. Pages hold no `style` attribute. */
export function styled(style: Readonly<Partial<Record<"left" | "top" | "width" | "height" | "fontSize", string>>>) {
  return (element: HTMLElement | null): void => {
    if (element !== null) Object.assign(element.style, style);
  };
}
