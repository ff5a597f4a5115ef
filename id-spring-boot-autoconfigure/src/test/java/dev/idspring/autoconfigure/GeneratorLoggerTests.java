package dev.idspring.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GeneratorLogger}.
 */
@ExtendWith(OutputCaptureExtension.class)
class GeneratorLoggerTests {

	@Test
	void lostNodeIsLogged(CapturedOutput output) {
		new GeneratorLogger(null, "node", "").lost("orders", 3);
		assertThat(output).containsPattern(
				"WARN.*Id generator 'orders' lost node 3 because its lease expired;" + " claiming another node\\.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "node", "series" })
	void warningNamesClones(String unit, CapturedOutput output) {
		new GeneratorLogger(null, unit, "").cloned("orders", 3);
		assertThat(output).containsPattern("WARN.*Id generator 'orders' shares " + unit + " 3 with a clone of this"
				+ " process: a VM snapshot or a checkpoint was restored more than once\\. Claiming another " + unit);
	}

}
