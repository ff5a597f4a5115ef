package dev.idspring.autoconfigure;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
		new GeneratorLogger(null, "node", "", "ids.lease").lost("orders", 3);
		assertThat(output).containsPattern(
				"WARN.*Id generator 'orders' lost node 3; claiming another node\\. The lease of the lost node expired");
	}

	@ParameterizedTest
	@CsvSource({ "1001, 30, 30030, 100, 1", "10000, 30, 300000, '1,000', 5", "10001, 300, 300030, 100, 6" })
	void warningSuggestsALeaseThatIsLongEnough(long holders, long leaseSeconds, long enoughMillis, String transactions,
			long suggestedMinutes, CapturedOutput output) {
		new GeneratorLogger(null, "node", "", "ids.lease").leaseTooShort("orders", holders,
				Duration.ofSeconds(leaseSeconds), Duration.ofMillis(enoughMillis));
		assertThat(output).containsPattern(
				"WARN.*Id generator 'orders' has a short lease for so many instances:.* leases of .* \\(one per node\\)")
			.contains("takes about " + transactions + " transactions per second. Set ids.lease=" + suggestedMinutes
					+ "m or more");
	}

	@ParameterizedTest
	@ValueSource(strings = { "node", "series" })
	void warnsAboutClones(String unit, CapturedOutput output) {
		new GeneratorLogger(null, unit, "", "ids.lease").cloned("orders", 3);
		assertThat(output).containsPattern("WARN.*Id generator 'orders' shares " + unit + " 3 with a clone of this"
				+ " process: a VM snapshot or a checkpoint was restored more than once\\."
				+ " The generator claims another " + unit);
	}

}
