"""The pytest plugin: ``pytest -p minispore.testing.plugin --minispore-target TARGET`` runs each law as a test."""

import pytest
from tools.testing.test_main import SCALER

from minispore.tools.testing import plugin

pytestmark = pytest.mark.usefixtures("restored")


@pytest.mark.parametrize(
    ("law", "ends"), [(None, "offers no 'compute'"), (["formula"], "was asked for, and not tried")]
)
def test_the_plugin_skips_what_is_absent_unless_it_is_asked_for(tmp_path, request, monkeypatch, law, ends):
    (tmp_path / "mine.py").write_text(SCALER)
    options = {"minispore_target": str(tmp_path / "mine.py"), "minispore_profile": "ci", "minispore_law": law}
    config = type("Config", (), {"getoption": lambda self, name: options.get(name)})()
    items = []
    plugin.pytest_collection_modifyitems(request.session, config, items)
    item = next(item for item in items if item.name == "law[formula]")
    monkeypatch.setattr(item, "config", config)
    with pytest.raises((pytest.skip.Exception, plugin.LawFailed), match=ends) as found:
        item.runtest()
    assert (found.type is plugin.LawFailed) == (law is not None)


def test_the_plugin_refuses_a_target_that_has_the_verbs_of_no_law(tmp_path, request):
    (tmp_path / "mine.py").write_text(SCALER.replace("scale_course", "scale_cours"))
    options = {"minispore_target": str(tmp_path / "mine.py")}
    config = type("Config", (), {"getoption": lambda self, name: options.get(name)})()
    with pytest.raises(pytest.UsageError, match=r"has the verbs of no law\. 'scale_cours' is no verb: did you mean"):
        plugin.pytest_collection_modifyitems(request.session, config, [])
