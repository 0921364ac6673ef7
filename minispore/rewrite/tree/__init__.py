"""The tree: nodes, their forms and values, names, and the invariants that hold between them.

Reading order: ``unique_names``, ``scoped_value``, ``opaque_code``, ``compound_header``, ``node_forms``,
``handler_methods``, ``called_function``, ``inner_nodes``, ``node``, ``tree``, ``undefined_names``, ``links``,
``hidden_values``, ``invariants``.
"""
