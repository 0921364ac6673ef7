"""Write docs/images/report.png, the picture of a report in docs/how-to/insight.md.

It is the top of the report, as Chromium shows it. Needs chromium, chromedriver and the extras report and
browser: python docs/make/report_picture.py
"""

import shutil
import tempfile
from pathlib import Path

from selenium import webdriver

import minispore as ms
from minispore import amp, nn
from minispore.dataset import embedded_fashion_mnist
from minispore.tools import insight
from minispore.tools.cli.networks import LeNet5

WIDTH, HEIGHT = 1000, 1500


def report():
    """LeNet-5 at O2: its cells, sixty steps on real images, and what float16 keeps of its numbers."""
    ms.set_context(cpu_loss_scale=True)
    ms.set_seed(1)
    (images, labels), _ = embedded_fashion_mnist()
    batches = [
        (ms.Tensor(images[i : i + 32, None] / 255, ms.float32), ms.Tensor(labels[i : i + 32], ms.int32))
        for i in range(0, 60 * 32, 32)
    ]
    loss, net = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), LeNet5()
    precision = insight.precision_report(LeNet5(), loss, batches[0], "O2")
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    step = amp.build_train_network(net, optimizer, loss, level="O2")
    with insight.watch(step) as seen:
        for batch in batches:
            step(*batch)
    return insight.Report(seen, precision, step.network._backbone, title="LeNet-5 in mixed precision")


def main():
    """Make the report and its picture."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for option in ("headless", "no-sandbox", "hide-scrollbars", f"window-size={WIDTH},{HEIGHT}"):
        options.add_argument(f"--{option}")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        report().save(path)
        driver.get(path.as_uri())
        driver.save_screenshot(str(Path(__file__).parents[1] / "images" / "report.png"))
    driver.quit()


if __name__ == "__main__":
    main()
