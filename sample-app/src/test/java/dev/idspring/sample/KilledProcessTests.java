package dev.idspring.sample;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills the application in the middle of an import, and starts it again in a time zone
 * that is far ahead of the first one.
 */
@Tag("longer")
class KilledProcessTests {

	private static final int LINKS_FOLLOWED = Integer.getInteger("test.ids.links-followed", 200);

	@TempDir
	private Path directory;

	@Test
	void noKeyRepeatsAndTheGapIsLimitedToIdsInMemory() throws Exception {
		List<String> urls = ImportTests.realUrls();
		Map<String, String> acknowledgedLinks = new ConcurrentHashMap<>();
		AtomicInteger repeated = new AtomicInteger();
		long blockSize;
		try (SampleProcess first = start("first", "America/New_York")) {
			SampleClient client = first.client();
			List<CompletableFuture<Void>> importers = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				int part = i;
				importers.add(CompletableFuture
					.runAsync(() -> importUntilKilled(client, urls, part, acknowledgedLinks, repeated)));
			}
			Awaitility.await()
				.atMost(Duration.ofMinutes(5))
				.until(() -> acknowledgedLinks.size() > 3_000
						|| importers.stream().anyMatch(CompletableFuture::isDone));
			blockSize = client.readNumber("block.size");
			first.kill();
			importers.forEach(CompletableFuture::join);
			assertThat(acknowledgedLinks).as("an importer ended before the process was killed")
				.hasSizeGreaterThan(3_000);
		}
		try (SampleProcess second = start("second", "Pacific/Kiritimati")) {
			SampleClient client = second.client();
			long reservedBefore = client.readNumber("keySpace.reserved");
			Map<String, String> links = new HashMap<>(acknowledgedLinks);
			client.importAll(urls).forEach((key, url) -> {
				if (links.put(key, url) != null) {
					repeated.incrementAndGet();
				}
			});
			assertThat(repeated).hasValue(0);
			// each importer may also have had one bulk request in progress, and the
			// second process may already have reserved a block
			assertThat(reservedBefore - acknowledgedLinks.size()).as("gap")
				.isLessThanOrEqualTo(3 * blockSize + 4 * 100 + client.readNumber("block.size"));
			for (Map.Entry<String, String> link : acknowledgedLinks.entrySet()
				.stream()
				.limit(LINKS_FOLLOWED)
				.toList()) {
				assertThat(client.get("/" + link.getKey()).headers().firstValue("Location")).contains(link.getValue());
			}
		}
	}

	private static void importUntilKilled(SampleClient client, List<String> urls, int part,
			Map<String, String> acknowledgedLinks, AtomicInteger repeated) {
		try {
			for (int i = part;; i = i + 4) {
				int start = (i * 100) % (urls.size() - 100);
				client.importAll(urls.subList(start, start + 100)).forEach((key, url) -> {
					if (acknowledgedLinks.put(key, url) != null) {
						repeated.incrementAndGet();
					}
				});
			}
		}
		catch (IOException ex) {
			// the process was killed
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Start the application with a constant block size, so that the size does not change
	 * after the test has read it.
	 */
	private SampleProcess start(String name, String zone) throws Exception {
		return SampleProcess.start(this.directory, name, zone, "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				SampleApplication.class.getName(), "--ids.block.size=4000", "--ids.block.max-size=4000");
	}

}
