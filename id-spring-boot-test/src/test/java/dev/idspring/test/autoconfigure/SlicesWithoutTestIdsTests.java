package dev.idspring.test.autoconfigure;

import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Loads slices of an application that draw ids, as if {@link AutoConfigureTestIds} had
 * been forgotten.
 */
@ExtendWith(OutputCaptureExtension.class)
class SlicesWithoutTestIdsTests {

	@ParameterizedTest
	@ValueSource(classes = { WebSlice.class, WebSliceWithGenerators.class, JdbcSlice.class })
	void failureSuggestsAutoConfigureTestIds(Class<?> slice, CapturedOutput output) {
		assertThatIllegalStateException()
			.isThrownBy(() -> new TestContextManager(slice).getTestContext().getApplicationContext());
		assertThat(output.toString().split("Action:", 2)[1])
			.contains("In a slice test, such as @WebMvcTest or @DataJdbcTest, annotate the class with"
					+ " @AutoConfigureTestIds from id-spring-boot-test.");
	}

	@WebMvcTest
	@Import(NoteController.class)
	@ContextConfiguration(classes = Application.class)
	static class WebSlice {

	}

	@WebMvcTest
	@Import(NoteController.class)
	@ImportAutoConfiguration(IdsAutoConfiguration.class)
	@ContextConfiguration(classes = Application.class)
	static class WebSliceWithGenerators {

	}

	@JdbcTest
	@Import(Notes.class)
	@ContextConfiguration(classes = Application.class)
	static class JdbcSlice {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@RestController
	static class NoteController {

		NoteController(IdGenerator ids) {
		}

	}

	static class Notes {

		Notes(IdGenerator ids) {
		}

	}

}
