package dev.idspring.redistests;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application on Spring Boot 3.5 with the documented dependencies tries to
 * connect to its Redis server. This test needs no server.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnreachableServerTests {

	@Test
	void startFailsWhenTheServerIsUnreachable(CapturedOutput output) {
		assertThatException().isThrownBy(() -> SpringApplication
			.run(RedisApplication.class, "--ids.store=redis", "--spring.data.redis.port=1", "--server.port=0")
			.close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Property: spring.data.redis.port")
			.contains("Start the server, or correct its host and port");
	}

}
