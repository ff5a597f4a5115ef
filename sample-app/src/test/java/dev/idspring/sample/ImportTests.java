package dev.idspring.sample;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Imports real URLs into a database in a file, restarts the application, and imports the
 * URLs again. The URLs come from the POMs of the build's dependencies.
 */
@Tag("wide")
class ImportTests {

	@TempDir
	private Path directory;

	@Test
	void importedLinksSurviveARestartAndNoKeyRepeats() throws Exception {
		List<String> urls = realUrls();
		assertThat(urls).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(500);
		Map<String, String> links = new HashMap<>();
		try (ConfigurableApplicationContext context = start()) {
			SampleClient client = client(context);
			links.putAll(client.importAll(urls));
			assertThat(links).hasSize(urls.size());
			assertNoKeyIsLost(client, urls.size());
		}
		try (ConfigurableApplicationContext context = start()) {
			SampleClient client = client(context);
			assertNoKeyIsLost(client, urls.size());
			for (Map.Entry<String, String> link : client.importAll(urls).entrySet()) {
				assertThat(links.put(link.getKey(), link.getValue())).as("repeated key: " + link.getKey()).isNull();
			}
			assertThat(links).hasSize(2 * urls.size());
			assertNoKeyIsLost(client, 2 * urls.size());
			for (Map.Entry<String, String> link : links.entrySet()) {
				assertThat(client.get("/" + link.getKey()).headers().firstValue("Location")).contains(link.getValue());
			}
		}
	}

	/**
	 * Assert that every reserved key has either been issued or is still in memory, and
	 * that reserved and remaining keys add up to the capacity.
	 */
	private static void assertNoKeyIsLost(SampleClient client, long issued) throws Exception {
		Awaitility.await()
			.untilAsserted(() -> assertThat(client.readNumber("keySpace.reserved")
					- client.readNumber("block.remaining") - client.readNumber("block.ahead"))
				.isEqualTo(issued));
		assertThat(client.readNumber("keySpace.reserved") + client.readNumber("keySpace.remaining"))
			.isEqualTo(client.readNumber("keySpace.capacity"));
	}

	static List<String> realUrls() throws Exception {
		return new ClassPathResource("urls.txt").getContentAsString(StandardCharsets.UTF_8).lines().toList();
	}

	private ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(SampleApplication.class).run("--server.port=0",
				"--spring.datasource.url=jdbc:h2:file:" + this.directory.resolve("links") + ";DB_CLOSE_ON_EXIT=FALSE");
	}

	private static SampleClient client(ConfigurableApplicationContext context) {
		return new SampleClient(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

}
